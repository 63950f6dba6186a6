import type { AgentCard } from "@a2a-js/sdk";
import type { Part } from "@cleveragents/domain";

/** Which parts an agent takes that nobody has asked it to, by the media types that its card says. */
export function takenBy({
  defaultInputModes,
  skills,
}: Pick<AgentCard, "defaultInputModes" | "skills">): (part: Part) => boolean {
  const modes = [
    ...(defaultInputModes ?? []),
    ...(skills ?? []).flatMap(({ inputModes }) => inputModes ?? []),
  ].map((mode) => mode.toLowerCase());
  return ({ kind, mediaType }) => {
    const own = mediaType?.toLowerCase() ?? (kind === "text" ? "text/plain" : "application/octet-stream");
    // What is JSON is taken by who takes JSON, whatever it is called.
    const types = own.endsWith("+json") ? [own, "application/json"] : [own];
    return types.some((type) => modes.some((mode) => fits(mode, type)));
  };
}

function fits(mode: string, type: string): boolean {
  if (mode === "*/*" || mode === "*") return true;
  return mode.endsWith("/*") ? type.startsWith(mode.slice(0, -1)) : type === mode;
}
