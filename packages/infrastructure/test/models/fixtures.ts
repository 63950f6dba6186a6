import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallOptions, type ModelPiece, type ModelRequest, Models } from "@cleveragents/application";
import { FileModelProviders } from "@cleveragents/infrastructure/models";
import { YamlDocumentReader } from "@cleveragents/infrastructure/yaml";

export const QUESTION: ModelRequest = {
  system: "You are brief.",
  messages: [{ role: "user", text: "What is there?" }],
  tools: [
    {
      name: "read_file",
      description: "Reads a file.",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
};

/** Models as a file has set them up, with pauses that only are counted. */
export class Place implements AsyncDisposable {
  readonly folder: string;
  readonly models: Models;
  readonly providers: FileModelProviders;
  readonly pauses: number[] = [];
  readonly warnings: unknown[] = [];

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder;
    const documents = new YamlDocumentReader({ env: {} });
    this.providers = new FileModelProviders({ folder, documents, env });
    const quiet = () => undefined;
    this.models = new Models({
      providers: this.providers,
      clock: { now: () => Date.now() },
      logger: { debug: quiet, info: quiet, error: quiet, warn: (fields) => this.warnings.push(fields) },
      pause: async (ms, signal) => {
        signal.throwIfAborted();
        this.pauses.push(Math.round(ms));
      },
      random: () => 0.5,
    });
  }

  static async open(yaml?: string, env: Record<string, string> = {}): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), "models-"));
    const place = new Place(folder, env);
    if (yaml !== undefined) await place.write("providers.yaml", yaml);
    return place;
  }

  async write(name: string, text: string, mode = 0o600): Promise<void> {
    await writeFile(join(this.folder, name), text, { mode });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

export function options(
  signal: AbortSignal = new AbortController().signal,
): CallOptions & { readonly pieces: ModelPiece[] } {
  const pieces: ModelPiece[] = [];
  return { signal, pieces, onPiece: (piece) => pieces.push(piece) };
}

/** A provider named `test` at this address. */
export function providerYaml(kind: "openai" | "anthropic", url: string, more = ""): string {
  return `providers:\n  test:\n    kind: ${kind}\n    base_url: ${url}\n${more}`;
}
