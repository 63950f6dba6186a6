/** What the commands of skills are tested with, beside all others in commands.test.ts. */
const validated = {
  valid: true,
  strict: false,
  name: "deploy-to-staging",
  version: "1.0.0",
  description: "Deploys to staging.",
  format: "heading",
  steps: [
    { number: 1, title: "Run tests", commands: ["scripts/run-tests.sh"] },
    { number: 2, title: "Build artifacts", commands: [] },
  ],
  definition_of_done: ["All tests pass"],
  allowed_tools: [
    { pattern: "Bash(git:*)", tools: ["builtin/shell"] },
    { pattern: "Telepathy", tools: [] },
  ],
  resource_slots: ["config"],
  tokens: { discover: 10, activate: 200 },
  diagnostics: [
    { level: "info", code: "no-frontmatter", message: "there is no front matter", line: 1 },
    { level: "warning", code: "script-missing", message: "scripts/x.sh is to be run, and is not there" },
  ],
};
const tools = {
  skill: "local/deploy",
  tools: [
    {
      name: "builtin/read_file",
      source: "builtin",
      from_skill: "team/base",
      read_only: true,
      writes: false,
      checkpoint: true,
    },
    {
      name: "mcp/github__merge",
      source: "mcp:local/github",
      from_skill: "local/deploy",
      read_only: false,
      writes: true,
      checkpoint: false,
    },
  ],
  missing: [
    { name: "jira/close", from_skill: "team/base" },
    {
      name: "local/deploy__ci",
      from_skill: "local/deploy",
      hint: "agents mcp refresh local/deploy__ci lists its tools",
    },
  ],
  summary: { total: 2, read_only: 1, writes: 1, checkpointable: 1 },
};
const refreshed = {
  skills: [
    { name: "local/deploy", status: "refreshed", tools: 2, added: ["a/b"], removed: ["c/d"] },
    { name: "local/lost", status: "skipped", tools: 0, added: [], removed: [] },
  ],
  shadowed: [{ name: "pdf", folder: "/home/u/.agents/skills/pdf", source: "user", by: "/srv/skills/pdf" }],
  diagnostics: [
    {
      folder: "/srv/skills/odd",
      level: "warning",
      code: "yaml-repaired",
      message: "description: put it in quotes",
      line: 3,
    },
  ],
};

export const SKILL_CASES = [
  {
    argv: "skill validate skills/deploy-to-staging",
    method: "_cleveragents/registry/skill/validate",
    result: validated,
    params: { document: "# Deploy", folder: "deploy-to-staging", strict: false },
    names: "deploy-to-staging",
    more: { files: { "/work/app/skills/deploy-to-staging/SKILL.md": "# Deploy" } },
  },
  {
    argv: "skill tools local/deploy --project app",
    method: "_cleveragents/registry/skill/tools",
    result: tools,
    params: { name: "local/deploy", project: "app" },
    names: "builtin/read_file\nmcp/github__merge",
  },
  {
    argv: "skill refresh local/deploy",
    method: "_cleveragents/registry/skill/refresh",
    result: refreshed,
    params: { name: "local/deploy" },
    names: "local/deploy\nlocal/lost",
  },
];
