const AT = "2026-07-01T11:00:00Z";
const TIMES = { created_at: AT, updated_at: AT };
const REVISION = `sha256:${"1".repeat(64)}`;
const page = (plural: string, item: object) => ({ [plural]: [item], total: 1, next_page_token: "" });

/** One command of a kind of registered things: what is typed, called, answered and sent. */
export interface EntryCase {
  readonly argv: string;
  readonly method: string;
  readonly result: object;
  readonly params: Readonly<Record<string, unknown>>;
  readonly names: string;
  readonly more?: { readonly files: Readonly<Record<string, string>> };
}

interface Kind {
  readonly kind: string;
  readonly words: string;
  readonly name: string;
  readonly item: object;
  readonly plural?: string;
  readonly field: string;
}

const KINDS: readonly Kind[] = [
  { kind: "action", words: "action", name: "local/fix", field: "action", item: { description: "fixes it" } },
  { kind: "actor", words: "actor", name: "local/fixer", field: "actor", item: { description: "fixes" } },
  {
    kind: "validation",
    words: "validation",
    name: "local/tests",
    field: "validation",
    item: { description: "they pass" },
  },
  { kind: "tool", words: "tool", name: "local/count", field: "tool", item: { description: "counts lines" } },
  {
    kind: "skill",
    words: "skill",
    name: "local/deploy",
    field: "skill",
    plural: "skills",
    item: {
      description: "deploys",
      source: "custom",
      tools: ["builtin/shell"],
      includes: ["team/base"],
      mcp_servers: [],
      builtins: ["git_operations"],
      folders: [],
    },
  },
  {
    kind: "mcp",
    words: "mcp",
    name: "local/github",
    field: "mcp_server",
    plural: "mcp_servers",
    item: { description: "issues", transport: "stdio", command: "npx", args: ["github-mcp"] },
  },
  {
    kind: "lsp",
    words: "lsp",
    name: "local/pyright",
    field: "lsp_server",
    plural: "lsp_servers",
    item: { languages: ["python"], command: "pyright-langserver", args: ["--stdio"], capabilities: [] },
  },
  {
    kind: "resource",
    words: "resource",
    name: "local/data",
    field: "resource",
    plural: "resources",
    item: {
      type: "fs-directory",
      arguments: { path: "/srv/data" },
      parents: ["local/app"],
      physical_virtual: "physical",
      capabilities: { readable: true },
      children: [{ name: "devcontainer:default", type: "devcontainer-instance", state: "discovered" }],
    },
  },
  {
    kind: "resource_type",
    words: "resource type",
    name: "local/bucket",
    field: "resource_type",
    plural: "resource_types",
    item: { source: "custom", description: "a bucket", physical_virtual: "virtual", user_addable: true },
  },
];

/** Commands that one of the kinds has in a form of its own are not among them. */
const OWN = [
  "resource add",
  "action add",
  "action show",
  "actor add",
  "actor show",
  "validation add",
  "validation show",
  "mcp add",
  "lsp add",
];

export const ENTRY_CASES: readonly EntryCase[] = KINDS.flatMap(
  ({ kind, words, name, item, plural, field }) => {
    const method = (verb: string) => `_cleveragents/registry/${kind}/${verb}`;
    const detail = { name, ...item, ...TIMES, revision: REVISION, [field]: { name, ...item } };
    const file = `${kind}.yaml`;
    const more = { files: { [file]: `name: ${name}` } };
    // A skill names folders relative to its file, which the agent has to find.
    const document = { document: `name: ${name}`, file: kind === "skill" ? `/work/app/${file}` : file };
    const list: EntryCase[] =
      plural === undefined
        ? []
        : [
            {
              argv: `${words} list --namespace local`,
              method: method("list"),
              result: page(plural, { name, ...item, ...TIMES }),
              params: { namespace: "local" },
              names: name,
            },
          ];
    return [
      ...list,
      {
        argv: `${words} show ${name}`,
        method: method("show"),
        result: detail,
        params: { name },
        names: name,
      },
      {
        argv: `${words} add ${file} --update`,
        method: method("add"),
        result: detail,
        params: { ...document, update: true },
        names: name,
        more,
      },
      {
        argv: `${words} update --config ${file} --revision ${REVISION}`,
        method: method("update"),
        result: detail,
        params: { ...document, revision: REVISION },
        names: name,
        more,
      },
      {
        argv: `${words} remove ${name} --force`,
        method: method("remove"),
        result: { name, removed: true, also_removed: ["its attachment to the action local/fix"] },
        params: { name, force: true },
        names: name,
      },
    ].filter(({ argv }) => !OWN.some((own) => argv.startsWith(own)));
  },
);

const resource = {
  name: "local/data",
  type: "fs-directory",
  arguments: { path: "/srv/data" },
  parents: ["local/app"],
  ...TIMES,
  revision: REVISION,
  physical_virtual: "physical",
  capabilities: {},
  children: [],
  resource: {},
};

export const RESOURCE_CASES: readonly EntryCase[] = [
  {
    argv: "resource add fs-directory local/data --path /srv/data --arg mode=ro --part-of local/app",
    method: "_cleveragents/registry/resource/add",
    result: resource,
    params: {
      type: "fs-directory",
      name: "local/data",
      arguments: { path: "/srv/data", mode: "ro" },
      parents: ["local/app"],
    },
    names: "local/data",
  },
  {
    argv: "resource link local/app local/data",
    method: "_cleveragents/registry/resource/link",
    result: resource,
    params: { parent: "local/app", child: "local/data" },
    names: "local/data",
  },
  {
    argv: "resource unlink local/app local/data",
    method: "_cleveragents/registry/resource/unlink",
    result: { ...resource, parents: [] },
    params: { parent: "local/app", child: "local/data" },
    names: "local/data",
  },
  {
    argv: "resource tree --type fs-directory",
    method: "_cleveragents/registry/resource/tree",
    result: {
      tree: [
        {
          name: "local/app",
          type: "git-checkout",
          state: "registered",
          children: [
            { name: "local/data", type: "fs-directory", state: "registered", children: [] },
            {
              name: "devcontainer:default",
              type: "devcontainer-instance",
              state: "discovered",
              children: [],
            },
          ],
        },
      ],
    },
    params: { type_name: "fs-directory" },
    names: "local/app\nlocal/data\ndevcontainer:default",
  },
];
