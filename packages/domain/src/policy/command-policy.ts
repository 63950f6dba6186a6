import { z } from "zod";

/** A rule is the words of a command, `*` for any letters of a word; see `docs/guides/profiles.md`. */
const RuleSchema = z
  .string()
  .regex(
    /^[^\s|&;<>()$`"'\\]+(?: [^\s|&;<>()$`"'\\]+)*$/,
    "a rule is the words of one command with single spaces between them, without quotes and operators",
  );

/** Which commands run by themselves, which are asked about, which never run. Deny beats ask, and ask beats allow. */
export const CommandPolicySchema = z.strictObject({
  allow: z.array(RuleSchema).default([]),
  ask: z.array(RuleSchema).default([]),
  deny: z.array(RuleSchema).default([]),
  /** What becomes of a command that no rule names and that is not known to be harmless. */
  otherwise: z.enum(["ask", "deny"]).default("ask"),
});
export type CommandPolicy = z.output<typeof CommandPolicySchema>;

export const NO_RULES: CommandPolicy = { allow: [], ask: [], deny: [], otherwise: "ask" };
