import { type Artifact, type Part, type RemoteLimits, type RemotePlace, textOf } from "@cleveragents/domain";
import { RemoteAgentError, type RemoteRested, type RemoteUpdate } from "../ports/remote-agent.ts";

/** Characters of text and of data that are kept of one answer. */
const MOST_TEXT = 4 * 1024 * 1024;
const MOST_ARTIFACTS = 1000;

/** What somebody elsewhere has come to. */
export interface RemoteAnswer extends Omit<RemoteRested, "kind"> {
  readonly artifacts: readonly Artifact[];
}

/** Puts an answer together while it comes. Throws `REMOTE_TOO_LARGE`. */
export class RemoteAnswerBuilder {
  readonly #limits: RemoteLimits;
  readonly #artifacts = new Map<string, Artifact>();

  constructor(limits: RemoteLimits) {
    this.#limits = limits;
  }

  add(update: RemoteUpdate): void {
    if (update.kind !== "artifact") return;
    const { artifact, append } = update;
    const known = append ? this.#artifacts.get(artifact.artifactId) : undefined;
    const parts = known === undefined ? artifact.parts : joined(known.parts, artifact.parts);
    this.#artifacts.set(artifact.artifactId, { ...known, ...artifact, parts });
    this.#check();
  }

  end({ kind: _, ...rested }: RemoteRested): RemoteAnswer {
    return { ...rested, artifacts: [...this.#artifacts.values()] };
  }

  #check(): void {
    const parts = [...this.#artifacts.values()].flatMap((artifact) => artifact.parts);
    const text = parts.reduce((sum, part) => sum + textLength(part), 0);
    const bytes = parts.reduce(
      (sum, part) => sum + (part.kind === "bytes" ? part.bytes.length * 0.75 : 0),
      0,
    );
    if (this.#artifacts.size > MOST_ARTIFACTS || text > MOST_TEXT)
      throw new RemoteAgentError("REMOTE_TOO_LARGE", "it has answered more than is taken of one answer");
    if (bytes > this.#limits.file_bytes)
      throw new RemoteAgentError(
        "REMOTE_TOO_LARGE",
        `its files have more than the ${this.#limits.file_bytes} bytes that are taken (limits.file_bytes)`,
      );
  }
}

/** Where work goes on that has asked something. */
export function markedPlace({ contextId, taskId }: RemotePlace, { mark }: RemoteAnswer): RemotePlace {
  return {
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(mark === undefined ? {} : { asked: mark }),
  };
}

/** All that it says in words: its last message, else what stands in its artifacts. */
export function wordsOf({ parts, artifacts }: RemoteAnswer): string {
  const said = textOf({ parts }).trim();
  if (said !== "") return said;
  return artifacts
    .map((artifact) => textOf(artifact).trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

/** What is appended to a text goes on where it ended; everything else is a part of its own. */
function joined(before: readonly Part[], more: readonly Part[]): readonly Part[] {
  const last = before.at(-1);
  const [first, ...rest] = more;
  if (last?.kind === "text" && first?.kind === "text" && first.filename === last.filename)
    return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...rest];
  return [...before, ...more];
}

function textLength(part: Part): number {
  if (part.kind === "text") return part.text.length;
  return part.kind === "data" ? JSON.stringify(part.data).length : 0;
}
