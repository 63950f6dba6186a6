import type { Sandbox, ToolDescriptor, ToolResult } from "@cleveragents/application";
import {
  type JsonObject,
  type LspCapability,
  type LspServer,
  languageOf,
  servedAs,
  serverFor,
} from "@cleveragents/domain";
import type { ServerCapabilities } from "vscode-languageserver-protocol/node";
import type { z } from "zod";
import { confine } from "../../tools/confine.ts";
import { jsonSchemaOf } from "../../tools/json-schema-of.ts";
import type { LspSession } from "../language-server.ts";
import { lspFailure } from "../lsp-failure.ts";
import type { LspRuntime } from "../lsp-runtime.ts";
import type { OpenDocument } from "../open-documents.ts";

/** What a tool works with in a call. */
export interface LspCall {
  readonly runtime: LspRuntime;
  /** Those that may be asked. */
  readonly servers: readonly LspServer[];
  readonly planId: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Nothing may be changed. */
  readonly readOnly: boolean;
}

export interface LspTool {
  readonly descriptor: ToolDescriptor;
  call(args: JsonObject, context: LspCall): Promise<ToolResult>;
}

interface Definition<S extends z.ZodType> {
  readonly name: LspCapability;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Whether it writes to the plan's copy. */
  readonly writes?: true;
  readonly input: S;
  run(args: z.output<S>, call: LspCall): Promise<ToolResult>;
}

/** Joins a tool's description with what it does, typed by its schema. */
export function defineLspTool<S extends z.ZodType>({
  name,
  aliases,
  description,
  writes,
  input,
  run,
}: Definition<S>): LspTool {
  return {
    descriptor: {
      name: `lsp/${name}`,
      aliases,
      description,
      source: "lsp",
      // A cast, because an optional key of a schema's output may be `undefined` for the compiler; a parsed one is absent.
      input: input as unknown as z.ZodType<JsonObject>,
      get inputSchema() {
        return jsonSchemaOf(input);
      },
      readOnly: writes !== true,
      idempotent: writes !== true,
      effect: writes === true ? "sandbox" : "none",
    },
    async call(args, call) {
      const parsed = input.safeParse(args);
      if (parsed.success) return await run(parsed.data, call);
      const problems = parsed.error.issues.map(
        (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
      );
      throw lspFailure("INVALID_ARGUMENTS", problems.join("; "));
    },
  };
}

/** What has to be there for a question: its method, and where a server says that it serves it. */
export interface Asked {
  readonly capability: LspCapability;
  readonly method: string;
  readonly said: keyof ServerCapabilities;
}

/** Runs work on the server of a file, with the file open there as it lies in the plan's copy. Throws `ToolError`. */
export async function onFile<T>(
  call: LspCall,
  given: string,
  asked: Asked | undefined,
  capability: LspCapability,
  work: (session: LspSession, document: OpenDocument) => Promise<T>,
): Promise<T> {
  const file = (await confine(call.sandbox, given, "read")).relative;
  const server = serverFor(call.servers, file, capability);
  if (server === undefined) throw nobodyFor(call.servers, file, capability);
  return await call.runtime.use(server, file, call, async (session) => {
    const document = await session.documents.prepare(file);
    if (asked !== undefined) assertServed(session, asked);
    return await work(session, document);
  });
}

export function assertServed({ client }: LspSession, { method, said, capability }: Asked): void {
  if (client.serves(method, said)) return;
  throw lspFailure(
    "LSP_UNSUPPORTED",
    `the language server ${client.server.name} does not offer ${capability}`,
    { server: client.server.name },
  );
}

/** Options of every request to a server, in a call. */
export const asking = ({ client }: LspSession, { signal }: LspCall) => ({
  timeoutMs: client.server.requestTimeoutMs,
  signal,
});

function nobodyFor(servers: readonly LspServer[], file: string, capability: LspCapability) {
  const serving = servers.filter((server) => servedAs(server, file) !== undefined);
  if (serving.length > 0)
    return lspFailure(
      "LSP_UNSUPPORTED",
      `${serving.map(({ name }) => name).join(", ")} is registered without the capability ${capability}`,
    );
  const language = languageOf(file);
  return lspFailure(
    "LSP_NO_SERVER",
    `no language server serves ${language === undefined ? file : `${language} (${file})`}; add one: agents lsp add --config FILE`,
    { path: file, ...(language === undefined ? {} : { language }) },
  );
}
