import { A2aActorSchema, RemoteGraphActorSchema } from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import { adviseElsewhere } from "./remote-advice.ts";
import { executeElsewhere, withoutRefusedFile } from "./remote-execution.ts";
import { strategizeElsewhere } from "./remote-strategy.ts";
import type { RemoteDeps } from "./remote-turn.ts";
import { settingsOfRemote } from "./remote-work.ts";

const SCHEMAS = { a2a: A2aActorSchema, remote_graph: RemoteGraphActorSchema } as const;
export type RemoteKind = keyof typeof SCHEMAS;
export const REMOTE_KINDS = Object.keys(SCHEMAS) as readonly RemoteKind[];

/** Plans whose actors work elsewhere: other agents, and graphs on servers. */
export function createRemoteSource(kind: RemoteKind, remote: RemoteDeps): DecisionSource {
  return {
    kind,
    worksOnly: true,
    settingsOf: (_name, document) =>
      document?.["type"] === kind ? settingsOfRemote(SCHEMAS[kind].parse(document)) : undefined,
    strategize: (deps, turn, record) => strategizeElsewhere(remote, deps, turn, record),
    // They are known when it has answered.
    steps: () => [],
    next: (deps, turn, sandbox) => executeElsewhere(remote, deps, turn, sandbox),
    refused: withoutRefusedFile,
    advise: (deps, turn, request) => adviseElsewhere(remote, deps, turn, request),
  };
}
