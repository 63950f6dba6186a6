import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { isModelName } from "../model/model-name.ts";
import { isToolPattern } from "./tool-filter.ts";

/** The names under which the documents and other programs know the same three transports. */
const TRANSPORTS = {
  stdio: "stdio",
  sse: "sse",
  http: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamableHttp: "http",
} as const;

const Pattern = z.string().refine(isToolPattern, "a name of a tool, in which * stands for any characters");
const Seconds = z.number().positive().max(86_400);
const Variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of a variable of the environment");
const Text = z.string().refine((text) => !text.includes("\0"), "a text without a NUL character");
const HeaderName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "a name of an HTTP header");
const HeaderValue = z.string().regex(/^[^\r\n\0]*$/, "a value without line breaks");

/** How a server over HTTP is given a token. Secrets are named by the variable that holds them, and stand in no document. */
const OauthSchema = z.union([
  z
    .strictObject({
      /** A user logs in, `agents mcp login NAME`, and what comes of it is kept by the agent. */
      login: z.literal(true),
      /** Who we are there; the server registers us itself, where it can, when this is absent. */
      client_id: z.string().min(1).optional(),
      client_secret_env: Variable.optional(),
      issuer: z.url({ protocol: /^https?$/ }).optional(),
      scope: z.string().min(1).optional(),
    })
    .refine(
      ({ client_id, client_secret_env, issuer }) =>
        client_secret_env === undefined || (client_id !== undefined && issuer !== undefined),
      {
        error: "a secret goes with a client_id, and to one issuer alone",
        path: ["client_secret_env"],
      },
    ),
  z.strictObject({
    /** Name of a variable of the agent's environment. */
    token_env: Variable,
  }),
  z.strictObject({
    client_id: z.string().min(1),
    client_secret_env: Variable,
    /** The server of the tokens: the secret goes nowhere else. */
    issuer: z.url({ protocol: /^https?$/ }),
    scope: z.string().min(1).optional(),
  }),
]);

/** Seconds. */
const TimeoutsSchema = z.strictObject({
  /** Until the server has answered the first time; JVMs and package runners take their time. */
  start: Seconds.default(30),
  /** Of one call, begun anew by each progress that the server tells. */
  call: Seconds.default(60),
  /** Of one call, whatever is told meanwhile. */
  total: Seconds.default(600),
});

/** The YAML of an MCP server. */
export const McpServerSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().optional(),
    transport: z
      .enum(Object.keys(TRANSPORTS) as [keyof typeof TRANSPORTS, ...(keyof typeof TRANSPORTS)[]])
      .optional(),
    /** Of a `stdio` server: what is started. */
    command: Text.min(1).optional(),
    args: z.array(Text).default([]),
    /** Variables that the server is given besides PATH, HOME, the locale and the like; nothing else of the environment. */
    env: z.record(Variable, z.union([Text, z.number(), z.boolean()]).transform(String)).default({}),
    /** Variables of the agent's environment that are handed on by name, so that no document holds their values. */
    env_from: z.array(Variable).default([]),
    /** Relative to the project. */
    cwd: Text.min(1).optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: z.record(HeaderName, HeaderValue).default({}),
    /** Headers whose values are variables of the agent's environment. */
    headers_from: z.record(HeaderName, Variable).default({}),
    oauth: OauthSchema.optional(),
    /** The model, `provider/model`, that it may have answer something for it, at the plan's cost; none when absent. */
    sampling: z.string().refine(isModelName, "a model, written provider/model").optional(),
    /** Which tools are offered; all when empty. */
    include: z.array(Pattern).default([]),
    exclude: z.array(Pattern).default([]),
    /** Tools that are believed to change nothing, in phases that only look. What a server says of itself is not enough. */
    read_only_tools: z.array(Pattern).default([]),
    timeouts: TimeoutsSchema.prefault({}),
    /** Seconds without a call until the server is stopped; 0 is never. */
    idle: z.number().min(0).max(86_400).default(300),
    protocol: z.enum(["auto", "legacy", "2026-07-28"]).default("auto"),
    /**
     * `plan`: started in the sandbox of each plan, where it sees the plan's copy in the project's place. `none`: started
     * once, outside; with `rewrite_paths` the paths in its arguments and results are turned.
     */
    sandbox: z.enum(["plan", "none"]).optional(),
    /** Whether a server in a sandbox may use the network. */
    network: z.boolean().default(false),
    /** Folders of this host, with its programs, that it sees in a sandbox besides the system and the toolchains. */
    readable: z.array(z.string().regex(/^(~?\/|~$)/, "an absolute path")).default([]),
    rewrite_paths: z.boolean().default(false),
    /** Bytes of one message of the server. */
    max_message_bytes: z.int().min(1024).max(268_435_456).default(10_485_760),
  })
  .transform((raw, context) => {
    const problem = (path: string, message: string): void =>
      context.addIssue({ code: "custom", path: [path], message });
    const transport =
      raw.transport === undefined ? (raw.url === undefined ? "stdio" : "http") : TRANSPORTS[raw.transport];
    const isLocal = transport === "stdio";
    if (isLocal && raw.command === undefined) problem("command", "a server on stdio needs a command");
    if (!isLocal && raw.url === undefined) problem("url", "a server over HTTP needs a url");
    const foreign: readonly (readonly [string, boolean])[] = isLocal
      ? [
          ["url", raw.url !== undefined],
          ["headers", Object.keys(raw.headers).length > 0],
          ["headers_from", Object.keys(raw.headers_from).length > 0],
          ["oauth", raw.oauth !== undefined],
        ]
      : [
          ["command", raw.command !== undefined],
          ["args", raw.args.length > 0],
          ["env", Object.keys(raw.env).length > 0],
          ["env_from", raw.env_from.length > 0],
          ["cwd", raw.cwd !== undefined],
          ["network", raw.network],
        ];
    for (const [key, given] of foreign)
      if (given) problem(key, `has no meaning for a server ${isLocal ? "on stdio" : "over HTTP"}`);
    if (!isLocal && raw.sandbox === "plan")
      problem("sandbox", "a server over HTTP is not started here, so it cannot be in a plan's sandbox");
    const sandbox = raw.sandbox ?? (isLocal ? "plan" : "none");
    if (sandbox === "plan" && raw.rewrite_paths)
      problem("rewrite_paths", "a server in the plan's sandbox sees the project's own paths");
    if (raw.timeouts.total < raw.timeouts.call) problem("timeouts", "`total` is shorter than `call`");
    return { ...raw, transport, sandbox };
  });
export type McpServer = z.output<typeof McpServerSchema>;
