/** URIs of what we declare and understand beyond A2A itself. */
export const PLATFORM_EXTENSION = "urn:cleveragents:extensions:v1";
export const RESUME_EXTENSION = "urn:cleveragents:extensions:resume:v1";
export const APPROVAL_EXTENSION = "urn:cleveragents:extensions:approval:v1";
/** kagent's extension for people in the loop, which other clients speak. */
export const HITL_EXTENSION = "https://kagent.dev/extensions/hitl/v1";
export const APPROVAL_MEDIA_TYPE = "application/vnd.cleveragents.approval+json";

/** The URIs of an `A2A-Extensions` value: separated by commas, white space around them ignored. */
export function parseExtensions(value: string | undefined): readonly string[] {
  return [
    ...new Set(
      (value ?? "")
        .split(",")
        .map((uri) => uri.trim())
        .filter((uri) => uri !== ""),
    ),
  ];
}
