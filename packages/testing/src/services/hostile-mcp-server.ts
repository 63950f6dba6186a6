import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/**
 * An MCP server (stdio, the era of `initialize`) that can be had in every kind of bad shape. Started as a program:
 * `node hostile-mcp-server.ts MODE`. It speaks the protocol by hand, so that it can break it.
 */
type Message = { id?: number | string; method?: string; params?: Record<string, unknown> };
type Args = Record<string, unknown>;

const mode = process.argv[2] ?? "good";
const schema = { type: "object" };
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ name: `t${from + i}`, inputSchema: schema }));
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const answer = (id: Message["id"], result: object): void => say({ jsonrpc: "2.0", id, result });
const refuse = (id: Message["id"], code: number, message: string): void =>
  say({ jsonrpc: "2.0", id, error: { code, message } });
const text = (value: string) => ({ content: [{ type: "text", text: value }] });

let grown = 0;

const TOOLS = [
  {
    name: "echo",
    description: "What it was called with",
    inputSchema: schema,
    annotations: { readOnlyHint: true },
  },
  {
    name: "strict",
    inputSchema: {
      type: "object",
      properties: { n: { type: "string" }, m: { type: "number" } },
      additionalProperties: false,
    },
  },
  ...[
    "env",
    "die",
    "hang",
    "big",
    "flood",
    "contents",
    "progress",
    "grow",
    "fail",
    "half",
    "read",
    "ask",
    "question",
    "sample",
  ].map((name) => ({ name, inputSchema: schema })),
  { name: "write", inputSchema: schema, annotations: { readOnlyHint: true, idempotentHint: true } },
];

/** Beyond this the reader of the line is asked to wait. */
const BAD_SHAPES = [
  { name: "ok", inputSchema: schema },
  { name: "no-schema" },
  { name: "array", inputSchema: { type: "array" } },
  { name: "dangling", inputSchema: { type: "object", properties: { a: { $ref: "#/nothing" } } } },
  { name: "task-only", inputSchema: schema, execution: { taskSupport: "required" } },
  { name: "", inputSchema: schema },
  { name: "spaces & ünïcode / dots.x\n", inputSchema: schema },
  null,
];

const PICTURE = Buffer.from("not really a picture").toString("base64");
const CONTENTS = [
  { type: "text", text: "line one\nline two" },
  { type: "image", data: PICTURE, mimeType: "image/png" },
  { type: "audio", data: PICTURE, mimeType: "audio/wav" },
  { type: "resource_link", uri: "file:///x", name: "x" },
  { type: "resource", resource: { uri: "mem://text", mimeType: "text/plain", text: "of a resource" } },
  { type: "resource", resource: { uri: "mem://blob", mimeType: "application/pdf", blob: PICTURE } },
  { type: "hologram", frames: 3 },
];

const calls: Record<string, (args: Args, id: Message["id"], meta: Args) => object | undefined> = {
  echo: (args) => text(JSON.stringify(args)),
  strict: (args) => text(JSON.stringify(args)),
  env: () => text(JSON.stringify(process.env)),
  die: () => {
    process.stderr.write("fatal: the cat sat on the keyboard\n");
    process.exit(7);
  },
  hang: () => undefined,
  big: (args) => text("x".repeat(Number(args["bytes"]))),
  flood: (args) => {
    process.stderr.write("x".repeat(Number(args["bytes"])));
    return text("flooded");
  },
  contents: () => ({ content: CONTENTS, structuredContent: { answer: 42 } }),
  progress: (_args, id, meta) => {
    for (const progress of [1, 2])
      say({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: meta["progressToken"], progress, total: 2, message: `step ${progress}` },
      });
    // At once, clients would hear of the result first.
    setTimeout(() => answer(id, text("done")), 100);
    return undefined;
  },
  grow: () => {
    grown += 1;
    say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    return text("grown");
  },
  fail: () => ({ ...text("the disk is made of cheese"), isError: true }),
  half: () => {
    process.stdout.write('{"jsonrpc":"2.0","id":1,"resu', () => process.exit(0));
    return undefined;
  },
  read: (args) => text(readFileSync(String(args["path"]), "utf8")),
  write: (args) => {
    writeFileSync(String(args["path"]), String(args["text"]));
    return text(`wrote ${String(args["path"])}`);
  },
  question: (args, id) => relay("elicitation/create", args, id),
  sample: (args, id) => relay("sampling/createMessage", args, id),
  ask: () => {
    say({
      jsonrpc: "2.0",
      id: "q1",
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 1 },
    });
    say({
      jsonrpc: "2.0",
      id: "q2",
      method: "elicitation/create",
      params: { message: "?", requestedSchema: { ...schema, properties: {} } },
    });
    say({ jsonrpc: "2.0", id: "q3", method: "roots/list" });
    return undefined;
  },
};

/** Calls that wait for an answer of the client's, by the id of what was asked. */
const relayed = new Map<string, Message["id"]>();
function relay(method: string, params: Args, of: Message["id"]): undefined {
  const id = `relay-${relayed.size + 1}`;
  relayed.set(id, of);
  say({ jsonrpc: "2.0", id, method, params });
}

const asked: string[] = [];
let askedBy: Message["id"];

function page(cursor: unknown): object | undefined {
  const at = Number(cursor ?? 0);
  switch (mode) {
    case "endless-pages":
      return { tools: many(1, at), nextCursor: String(at + 1) };
    case "same-cursor":
      return { tools: many(4, cursor === undefined ? 0 : 4), nextCursor: "again" };
    case "empty-cursor":
      return { tools: many(3), nextCursor: "" };
    case "empty-cursor-leads":
      return cursor === "" ? { tools: many(1, 1) } : { tools: many(1), nextCursor: "" };
    case "page-error":
      return at < 2 ? { tools: many(50, at * 50), nextCursor: String(at + 1) } : undefined;
    case "500-tools":
      return { tools: many(50, at * 50), ...(at < 9 ? { nextCursor: String(at + 1) } : {}) };
    case "bad-shapes":
      return { tools: BAD_SHAPES };
    default:
      return { tools: [...TOOLS, ...many(grown)] };
  }
}

function handle({ id, method, params = {} }: Message): void {
  if (mode === "hang-start") return;
  if (mode === "stdout-noise") process.stdout.write("Welcome!\r\n{ not json\n\n");
  if (method === "server/discover") {
    if (mode === "exit-on-probe") process.exit(1);
    if (mode !== "silent-on-probe") refuse(id, -32601, "Method not found");
  } else if (method === "initialize") {
    answer(id, {
      protocolVersion: params["protocolVersion"],
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "hostile", version: "1.2.3" },
    });
  } else if (method === "tools/list") {
    const listed = page(params["cursor"]);
    if (listed === undefined) refuse(id, -32603, "the third page is missing");
    else answer(id, listed);
  } else if (method === "tools/call") {
    const call = calls[String(params["name"])];
    if (params["name"] === "ask") askedBy = id;
    const args = (params["arguments"] ?? { arguments: "none were sent" }) as Args;
    const result = call?.(args, id, (params["_meta"] ?? {}) as Args);
    if (call === undefined) answer(id, { ...text("no such tool"), isError: true });
    else if (result !== undefined) answer(id, result);
  } else if (method === undefined && typeof id === "string" && relayed.has(id)) {
    answer(relayed.get(id), text(JSON.stringify(answers[id])));
  } else if (method === undefined && typeof id === "string") {
    asked.push(id);
    if (asked.length === 3) answer(askedBy, text(JSON.stringify(answers)));
  }
}

const answers: Record<string, unknown> = {};

function begin(): void {
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line) as Message & { result?: unknown; error?: unknown };
      if (typeof message.id === "string" && message.method === undefined)
        answers[message.id] = message.result ?? message.error;
      handle(message);
    }
  });
}

if (mode === "exit") {
  process.stderr.write("fatal: missing API key\n");
  process.exit(3);
}
if (mode === "flood-stderr") process.stderr.write("x".repeat(262_144));
if (mode === "ignore-term")
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
if (["ignore-term", "hang-start", "grandchildren"].includes(mode)) setInterval(() => {}, 1_000_000);
if (mode === "grandchildren") {
  // One in its group, and one that has left it; both hold its streams open.
  for (const detached of [false, true])
    spawn(process.execPath, ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},1e6)"], {
      stdio: "inherit",
      detached,
    });
}
if (mode === "slow-start") setTimeout(begin, 700);
else begin();
