/**
 * A language server for tests, as good or bad as its arguments say: `node fake-language-server.ts MODE…`. It knows no
 * language: a line that holds the word `bad` is an error at that word, words are symbols, and a rename changes a word in
 * the files that are open or named in the request. It imports nothing, so that it can be copied anywhere.
 */

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}
interface Document {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

const modes = new Set(process.argv.slice(2));
const documents = new Map<string, Document>();
/** Of which nothing is wrong, as it was said last. */
const fine = new Map<string, boolean>();
const log: unknown[] = [];
let nextId = 1;
const waiting = new Map<number, (result: unknown) => void>();
let pending = Buffer.alloc(0);

function send(message: object): void {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
  if (modes.has("banner")) process.stdout.write("debug: about to answer\n");
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function ask(method: string, params: unknown): Promise<unknown> {
  const id = nextId;
  nextId += 1;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

interface Found {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Where a word is, in units of the encoding that was agreed. */
function places(text: string, word: RegExp): Found[] {
  return text.split("\n").flatMap((content, line) =>
    [...content.matchAll(word)].map((match) => {
      const from = units(content.slice(0, match.index));
      return { line, from, to: from + units(match[0]) };
    }),
  );
}

const units = (text: string): number =>
  modes.has("utf-8") ? Buffer.byteLength(text) : modes.has("utf-32") ? Array.from(text).length : text.length;

const rangeOf = ({ line, from, to }: Found) => ({
  start: { line, character: from },
  end: { line, character: to },
});

function problems(text: string): object[] {
  return places(text, /\bbad\b/g).map((found) => ({
    range: rangeOf(found),
    severity: modes.has("severity-0") ? 0 : 1,
    source: "fake",
    code: "F1",
    message: "bad is bad",
  }));
}

function wordAt({ text }: Document, position: { line: number; character: number }): string | undefined {
  const content = text.split("\n")[position.line] ?? "";
  for (const match of content.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const from = units(content.slice(0, match.index));
    if (position.character >= from && position.character <= from + units(match[0])) return match[0];
  }
  return undefined;
}

/** Another way to write the same file: letters that need no encoding are encoded, and others the other way round. */
const otherSpelling = (uri: string): string => uri.replace(/a(?=[^/]*$)/, "%61").toString();

function publish(document: Document, items = problems(document.text)): void {
  const version = modes.has("push-without-versions") ? {} : { version: document.version };
  const uri = modes.has("other-spelling") ? otherSpelling(document.uri) : document.uri;
  send({ method: "textDocument/publishDiagnostics", params: { uri, ...version, diagnostics: items } });
}

function changed(document: Document): void {
  if (!["push", "push-without-versions"].some((mode) => modes.has(mode))) return;
  if (modes.has("push-late")) {
    // Of the text before: what was worked out while it was changed.
    if (document.version > 1) publish({ ...document, version: document.version - 1 }, [stale()]);
    return;
  }
  if (modes.has("push-twice")) {
    publish(document, []);
    setTimeout(() => publish(document), 60);
    return;
  }
  if (modes.has("push-busy")) {
    publish(document, []);
    // Nothing is answered meanwhile.
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      publish(document);
    });
    return;
  }
  if (modes.has("push-once") && document.version > 1) return;
  if (modes.has("push-news")) {
    const items = problems(document.text);
    const news = items.length > 0 || fine.get(document.uri) !== true;
    fine.set(document.uri, items.length === 0);
    // Later than an answer to whatever was asked meanwhile.
    if (news) setTimeout(() => publish(document), 30);
    return;
  }
  publish(document);
}

const stale = (): object => ({
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  severity: 1,
  message: "of the text before",
});

function locations(word: string): object[] {
  return [...documents.values()].flatMap(({ uri, text }) =>
    places(text, new RegExp(`\\b${word}\\b`, "g")).map((found) => ({ uri, range: rangeOf(found) })),
  );
}

function renamed(word: string, newName: string): object {
  const edits = [...documents.values()].map(({ uri, version, text }) => ({
    textDocument: { uri, version: modes.has("old-edits") ? version - 1 : version },
    edits: places(text, new RegExp(`\\b${word}\\b`, "g")).map((found) => ({
      range: rangeOf(found),
      newText: newName,
    })),
  }));
  if (modes.has("edits-outside"))
    edits.push({
      textDocument: { uri: "file:///etc/passwd", version: 1 },
      edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, newText: "x" }],
    });
  if (modes.has("plain-changes"))
    return { changes: Object.fromEntries(edits.map((edit) => [edit.textDocument.uri, edit.edits])) };
  return { documentChanges: edits };
}

type Answer = (params: Record<string, never>, document: Document | undefined) => unknown;

const answers: Record<string, Answer> = {
  "textDocument/hover": (params, document) => {
    const word = document && wordAt(document, params["position"] as never);
    return word === undefined ? null : { contents: { kind: "markdown", value: `**${word}**` } };
  },
  "textDocument/definition": (params, document) => {
    const word = document && wordAt(document, params["position"] as never);
    return word === undefined ? null : (locations(word)[0] ?? null);
  },
  "textDocument/references": (params, document) => {
    const word = document && wordAt(document, params["position"] as never);
    return word === undefined ? [] : locations(word);
  },
  "textDocument/completion": () => ({
    isIncomplete: false,
    items: [
      { label: "beta", kind: 3, sortText: "2" },
      { label: "alpha", kind: 6, sortText: "1", detail: "first" },
    ],
  }),
  "textDocument/signatureHelp": () => ({
    signatures: [
      { label: "f(a, b)", parameters: [{ label: [2, 3] }, { label: "b" }], documentation: "calls f" },
    ],
    activeSignature: 0,
    activeParameter: 1,
  }),
  "textDocument/documentSymbol": (_params, document) =>
    places(document?.text ?? "", /\b[a-z]+\b/g).map((found) => ({
      name: (document?.text.split("\n")[found.line] ?? "").slice(found.from, found.to),
      kind: 13,
      range: rangeOf(found),
      selectionRange: rangeOf(found),
    })),
  "workspace/symbol": (params) =>
    locations(String(params["query"])).map((location) => ({
      name: String(params["query"]),
      kind: 12,
      location,
    })),
  "textDocument/rename": (params, document) => {
    const word = document && wordAt(document, params["position"] as never);
    return word === undefined ? null : renamed(word, String(params["newName"]));
  },
  "textDocument/formatting": (_params, document) =>
    places(document?.text ?? "", / +$/gm).map((found) => ({ range: rangeOf(found), newText: "" })),
  "textDocument/codeAction": (params, document) => [
    {
      title: "Replace bad",
      kind: "quickfix",
      isPreferred: true,
      edit: {
        changes: {
          [document?.uri ?? ""]: places(document?.text ?? "", /\bbad\b/g).map((found) => ({
            range: rangeOf(found),
            newText: "good",
          })),
        },
      },
    },
    {
      title: "By command",
      kind: "refactor",
      command: { title: "x", command: "fake.edit", arguments: [document?.uri] },
    },
    {
      title: "By command alone",
      command: "fake.nothing",
      arguments: [(params["context"] as never)["diagnostics"]],
    },
  ],
  /** What it was told and asked, for the test. */
  "fake/log": () => log,
};

async function runCommand({
  command,
  arguments: given,
}: {
  command: string;
  arguments?: string[];
}): Promise<unknown> {
  if (command !== "fake.edit") return null;
  return await ask("workspace/applyEdit", {
    edit: {
      changes: {
        [given?.[0] ?? ""]: [
          {
            range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
            newText: "by command\n",
          },
        ],
      },
    },
  });
}

/** Waits for the answer to each before it serves anything. */
async function beforehand(): Promise<void> {
  const { register } = { register: "client/registerCapability" };
  log.push([
    "configuration",
    await ask("workspace/configuration", { items: [{ section: "fake" }, { section: "no.such" }] }),
  ]);
  log.push(["folders", await ask("workspace/workspaceFolders", null)]);
  log.push(["progress", await ask("window/workDoneProgress/create", { token: 1 })]);
  log.push(["unknown", await ask("fake/unknown", {})]);
  log.push([
    "register",
    await ask(register, {
      registrations: [
        {
          id: "a",
          method: "textDocument/diagnostic",
          registerOptions: { identifier: "fake", interFileDependencies: false, workspaceDiagnostics: false },
        },
        {
          id: "b",
          method: "workspace/didChangeWatchedFiles",
          registerOptions: { watchers: [{ globPattern: "**/*.{txt,json}" }] },
        },
      ],
    }),
  ]);
}

let ready: Promise<void> | undefined;

async function initialize(): Promise<object> {
  const encoding = ["utf-8", "utf-32"].find((mode) => modes.has(mode));
  const pulls = modes.has("pull") || modes.has("pull-silent");
  return {
    serverInfo: { name: "fake", version: "1.0" },
    capabilities: {
      ...(encoding === undefined ? {} : { positionEncoding: encoding }),
      textDocumentSync: { openClose: true, change: 1, save: { includeText: true } },
      ...(pulls ? { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } } : {}),
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      completionProvider: {},
      signatureHelpProvider: {},
      documentSymbolProvider: true,
      workspaceSymbolProvider: true,
      renameProvider: true,
      documentFormattingProvider: !modes.has("no-format"),
      codeActionProvider: true,
      executeCommandProvider: { commands: ["fake.edit", "fake.nothing"] },
    },
  };
}

async function request({ id, method = "", params = {} }: Message): Promise<void> {
  if (method === "initialize") {
    if (modes.has("hang-at-init")) return;
    log.push(["initialize", params]);
    return send({ id, result: await initialize() });
  }
  if (method === "shutdown") {
    if (modes.has("no-shutdown")) return;
    return send({ id, result: null });
  }
  await ready;
  const uri = (params["textDocument"] as { uri?: string } | undefined)?.uri;
  const document = uri === undefined ? undefined : documents.get(uri);
  const dies = method === "textDocument/hover" && modes.has("die-in-hover");
  if (dies || (method === "textDocument/hover" && document?.text.includes("die now") === true)) {
    process.stderr.write("thinking about TOKEN=very-secret-value\nit is all too much\n");
    process.exit(3);
  }
  if (method === "textDocument/documentSymbol" && modes.has("drop-symbols")) return;
  if (method === "textDocument/references" && modes.has("late-references"))
    await new Promise((resolve) => setTimeout(resolve, 400));
  if (method === "textDocument/definition" && modes.has("refuse-definition"))
    return send({ id, error: { code: -32803, message: `nothing in ${process.cwd()}/x` } });
  if (method === "textDocument/hover" && modes.has("big"))
    return send({ id, result: { contents: "x".repeat(5_000_000) } });
  if (method === "textDocument/hover" && modes.has("huge")) {
    process.stdout.write("Content-Length: 9000000000\r\n\r\n");
    return;
  }
  if (method === "textDocument/diagnostic") {
    if (modes.has("pull-silent")) return;
    if (document === undefined || !(modes.has("pull") || modes.has("dynamic")))
      return send({ id, error: { code: -32601, message: "no such method" } });
    return send({ id, result: { kind: "full", items: problems(document.text) } });
  }
  if (method === "workspace/executeCommand") return send({ id, result: await runCommand(params as never) });
  const answer = answers[method];
  if (answer === undefined) return send({ id, error: { code: -32601, message: "no such method" } });
  send({ id, result: answer(params as never, document) });
}

function notification({ method, params = {} }: Message): void {
  const { textDocument } = params as { textDocument?: { uri: string; version: number; text: string } };
  if (method === "exit") {
    if (modes.has("no-exit")) return;
    process.exit(modes.has("exit-1") ? 1 : 0);
  }
  if (method === "initialized" && modes.has("dynamic")) ready = beforehand();
  if (method === "textDocument/didOpen" && textDocument !== undefined) {
    documents.set(textDocument.uri, textDocument);
    log.push(["open", textDocument.uri, textDocument.version]);
    changed(textDocument);
  }
  if (method === "textDocument/didChange" && textDocument !== undefined) {
    const [{ text }] = (params as never)["contentChanges"] as [{ text: string }];
    const document = { uri: textDocument.uri, version: textDocument.version, text };
    documents.set(textDocument.uri, document);
    log.push(["change", textDocument.uri, textDocument.version]);
    changed(document);
  }
  if (method === "textDocument/didClose" && textDocument !== undefined) {
    const closed = documents.get(textDocument.uri);
    documents.delete(textDocument.uri);
    fine.delete(textDocument.uri);
    if (modes.has("push-news") && closed !== undefined) publish(closed, []);
    log.push(["close", textDocument.uri]);
  }
  if (method === "workspace/didChangeWatchedFiles") log.push(["files", (params as never)["changes"]]);
  if (method === "$/cancelRequest") log.push(["cancel", (params as never)["id"]]);
}

function take(message: Message): void {
  if (message.method === undefined)
    waiting.get(Number(message.id))?.("result" in message ? message.result : message);
  else if (message.id === undefined) notification(message);
  else void request(message);
}

function read(chunk: Buffer): void {
  pending = Buffer.concat([pending, chunk]);
  for (;;) {
    const end = pending.indexOf("\r\n\r\n");
    if (end === -1) return;
    const length = Number(/Content-Length: (\d+)/i.exec(pending.subarray(0, end).toString())?.[1]);
    if (pending.length < end + 4 + length) return;
    const body = pending.subarray(end + 4, end + 4 + length).toString("utf8");
    pending = pending.subarray(end + 4 + length);
    take(JSON.parse(body) as Message);
  }
}

if (modes.has("exit-printing")) {
  process.stdout.write("error TS5023: Unknown compiler option '--lsp'.\n");
  process.exit(1);
}
if (modes.has("exit-at-once")) {
  process.stderr.write("no such option: --stdio\n");
  process.exit(2);
}
if (modes.has("banner")) process.stdout.write("Fake language server 1.0\nready\r\n\r\n");
if (modes.has("flood")) {
  const line = `${"noise ".repeat(200)}\n`;
  for (let count = 0; count < 2000; count += 1) process.stderr.write(line);
}
if (modes.has("no-exit")) process.on("SIGTERM", () => undefined);
process.stdin.on("data", read);
process.stdin.on("end", () => {
  if (!modes.has("no-exit")) process.exit(0);
  setInterval(() => undefined, 1000);
});
