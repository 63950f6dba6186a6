import type { Part, RemoteFile, RemoteLimits } from "@cleveragents/domain";
import { type RemoteActor, type RemoteAgent, RemoteAgentError } from "../ports/remote-agent.ts";
import type { RemoteAnswer } from "./remote-answer.ts";

type File = Omit<RemoteFile, "step">;

/**
 * The files of an answer: parts that have a name of one, by their bytes, their text or where they lie. Of one path the
 * last one counts. Throws `RemoteAgentError`.
 */
export async function filesOf(
  actor: RemoteActor,
  answer: RemoteAnswer,
  agent: Pick<RemoteAgent, "download">,
  signal: AbortSignal,
): Promise<readonly File[]> {
  const { limits } = actor;
  const files = new Map<string, File>();
  let left = limits.file_bytes;
  for (const { path, part } of named(actor, answer)) {
    const file = await fileOf(path, part, left, agent, signal);
    if (file === undefined) continue;
    left -= sizeOf(file);
    if (left < 0) throw tooLarge(limits);
    files.set(path, file);
    if (files.size > limits.files)
      throw new RemoteAgentError(
        "REMOTE_TOO_LARGE",
        `it has sent more than the ${limits.files} files that are taken (limits.files)`,
      );
  }
  return [...files.values()];
}

function named(
  actor: RemoteActor,
  { parts, artifacts }: RemoteAnswer,
): readonly { readonly path: string; readonly part: Part }[] {
  const whole = actor.type === "a2a" && actor.named_artifacts_are_files;
  return [
    ...artifacts.flatMap(({ name, parts: own }) =>
      own.flatMap((part) => {
        const path = part.filename ?? (whole || part.kind === "bytes" ? name : undefined);
        return path === undefined ? [] : [{ path, part }];
      }),
    ),
    ...parts.flatMap((part) => (part.filename === undefined ? [] : [{ path: part.filename, part }])),
  ];
}

async function fileOf(
  path: string,
  part: Part,
  left: number,
  agent: Pick<RemoteAgent, "download">,
  signal: AbortSignal,
): Promise<File | undefined> {
  switch (part.kind) {
    case "text":
      return { path, content: part.text, encoding: "utf8" };
    case "bytes":
      return { path, content: part.bytes, encoding: "base64" };
    case "url":
      return { path, content: await agent.download(part.url, left, signal), encoding: "base64" };
    case "data":
      return undefined;
  }
}

function sizeOf({ content, encoding }: File): number {
  return encoding === "base64" ? content.length * 0.75 : new TextEncoder().encode(content).length;
}

function tooLarge({ file_bytes }: RemoteLimits): RemoteAgentError {
  const message = `its files have more than the ${file_bytes} bytes that are taken (limits.file_bytes)`;
  return new RemoteAgentError("REMOTE_TOO_LARGE", message);
}
