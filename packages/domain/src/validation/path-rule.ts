import { z } from "zod";

const Globs = z.array(z.string().min(1).max(1000)).min(1).max(200);

/** Which paths may be among a plan's changes: `*` within a folder, `**` across folders, a folder means all in it. */
export const PathRuleSchema = z
  .strictObject({ allow: Globs.optional(), deny: Globs.optional() })
  .refine((rule) => rule.allow !== undefined || rule.deny !== undefined, {
    message: "paths need `allow` or `deny`",
  });
export type PathRule = z.output<typeof PathRuleSchema>;

/** The paths that a rule does not let pass; what is denied stays denied, also if it is allowed. */
export function pathsAgainst({ allow, deny = [] }: PathRule, paths: readonly string[]): readonly string[] {
  const denied = deny.map(toPattern);
  const allowed = allow?.map(toPattern);
  return paths.filter(
    (path) =>
      denied.some((pattern) => pattern.test(path)) ||
      (allowed !== undefined && !allowed.some((pattern) => pattern.test(path))),
  );
}

function toPattern(glob: string): RegExp {
  const body = glob
    .replace(/^\/|\/$/g, "")
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      switch (part) {
        case "**/":
          return "(?:[^/]+/)*";
        case "**":
          return ".*";
        case "*":
          return "[^/]*";
        case "?":
          return "[^/]";
        default:
          return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      }
    })
    .join("");
  // A glob without a folder in it means files of that name anywhere, as git has it.
  const anywhere = glob.includes("/") ? "" : "(?:.*/)?";
  return new RegExp(`^${anywhere}${body}(?:/.*)?$`, "su");
}
