import { exposedToolName } from "../mcp/exposed-names.ts";
import { CommandPolicySchema } from "../policy/command-policy.ts";
import { allows } from "../policy/command-rule.ts";
import type { AgentSkillToolDescriptor } from "./agent-skill.ts";

/** Names that skills of any origin use, and the tools of ours that do that work. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  bash: ["builtin/shell"],
  shell: ["builtin/shell"],
  execute: ["builtin/shell"],
  terminal: ["builtin/shell"],
  read: ["builtin/read_file"],
  view: ["builtin/read_file"],
  write: ["builtin/write_file"],
  create: ["builtin/write_file"],
  edit: ["builtin/edit_file"],
  multiedit: ["builtin/edit_file"],
  ls: ["builtin/list_files"],
  glob: ["builtin/list_files", "builtin/search*"],
  grep: ["builtin/search*"],
  search: ["builtin/search*"],
  webfetch: ["builtin/fetch"],
  fetch: ["builtin/fetch"],
  task: ["builtin/subplan"],
  askuserquestion: ["builtin/ask"],
  skill: ["skill/*"],
};
const MOST = 500;

/** The patterns of `allowed-tools`: parted by blanks or commas outside of parentheses, e.g. `Bash(git:*) Read`. */
export function toolPatterns(text: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let from = 0;
  const end = (to: number) => {
    const pattern = text.slice(from, to).trim();
    if (pattern !== "" && patterns.length < MOST) patterns.push(pattern);
    from = to + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === "(") depth += 1;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === "," || /\s/.test(char))) end(at);
  }
  end(text.length);
  return patterns;
}

/** What a pattern means here. */
export function toolDescriptor(pattern: string): AgentSkillToolDescriptor {
  const open = pattern.indexOf("(");
  const name = open < 0 ? pattern : pattern.slice(0, open);
  const inner = open < 0 || !pattern.endsWith(")") ? undefined : pattern.slice(open + 1, -1).trim();
  const tools = toolsOf(name);
  if (!tools.includes("builtin/shell")) return { pattern, tools };
  if (inner === undefined && open < 0) return { pattern, tools, commands: "*" };
  const rule = inner === undefined ? undefined : ruleOf(inner);
  return rule === undefined ? { pattern, tools: [] } : { pattern, tools, commands: rule };
}

function toolsOf(name: string): readonly string[] {
  const foreign = /^mcp__(.+?)__(.+)$/.exec(name);
  if (foreign !== null) return [`mcp/${exposedToolName(`local/${foreign[1]}`, foreign[2] as string)}`];
  if (name.includes("/")) return [name];
  const key = name.toLowerCase().replaceAll(/[-_]/g, "");
  return Object.hasOwn(KNOWN, key) ? (KNOWN[key] as readonly string[]) : [];
}

/** `git:*` and `git *` are any arguments, `npm run test:*` too; `npm run test` is exactly this command. */
function ruleOf(inner: string): string | undefined {
  const words = inner
    .replace(/:\*$/, " *")
    .split(/\s+/)
    .filter((word) => word !== "");
  const rule = words.join(" ");
  return CommandPolicySchema.safeParse({ allow: [rule] }).success ? rule : undefined;
}

/**
 * Whether a skill has asked to be allowed to run a command. It can only be less than what the profile allows: that is
 * judged beside it. `spellings`: the same command as it may be written.
 */
export function asksForCommand(
  tools: readonly AgentSkillToolDescriptor[] | undefined,
  spellings: readonly (readonly string[])[],
): boolean {
  if (tools === undefined) return true;
  const rules = tools.flatMap(({ commands }) => commands ?? []);
  return spellings.some((words) => {
    const command = words.map((value) => ({ text: value, value }));
    return rules.some((rule) => rule === "*" || allows(rule, command) !== undefined);
  });
}
