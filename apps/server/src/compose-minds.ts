import {
  AnyActors,
  createGraphSource,
  createLlmSource,
  createRemoteNodes,
  createRemoteSource,
  type DecisionSource,
  GraphActors,
  GraphEnding,
  LlmActors,
  type MessageActors,
  type Models,
  type Prompts,
  REMOTE_KINDS,
  RemoteActors,
  RemoteEnding,
  ToolActors,
  type ToolRunner,
  type WorkElsewhere,
  WorkStopping,
} from "@cleveragents/application";
import type { Plan } from "@cleveragents/domain";
import type { Adapters } from "./adapters.ts";

/** Who decides, works and answers besides scripts. */
export interface Minds {
  /** For plans. */
  readonly sources: readonly DecisionSource[];
  /** For messages. */
  conversing(tools: ToolRunner): MessageActors;
  /** What others do elsewhere for plans that are taken back. */
  readonly elsewhere: WorkElsewhere;
  /** Ends what a plan that is over has under way elsewhere. */
  afterEnd(plan: Plan): Promise<void>;
}

/** Puts together what there are adapters for: models, graphs, agents elsewhere; tools there always are. */
export function composeMinds(
  { registry, codeIntelligence, contextFiles, graphs, remoteAgents, logger, ...adapters }: Adapters,
  { models, prompts }: { readonly models: Models | undefined; readonly prompts: Prompts },
): Minds {
  const remote = remoteAgents && { agents: remoteAgents, unsent: new Set<string>() };
  const remoteNodes = [
    ...(adapters.remoteNodes ?? []),
    ...(remote === undefined ? [] : REMOTE_KINDS.map((kind) => createRemoteNodes(kind, remote))),
  ];
  const sources = [
    ...(adapters.sources ?? []),
    ...(models === undefined ? [] : [createLlmSource({ models, prompts, codeIntelligence, contextFiles })]),
    ...(remote === undefined ? [] : REMOTE_KINDS.map((kind) => createRemoteSource(kind, remote))),
    ...(graphs === undefined || models === undefined
      ? []
      : [createGraphSource({ models, prompts, codeIntelligence, contextFiles, graphs, remoteNodes })]),
  ];
  const graphEnding = graphs && new GraphEnding({ graphs, remoteNodes, logger });
  const remoteEnding = remote && new RemoteEnding({ ...remote, logger });
  return {
    sources,
    elsewhere: new WorkStopping({ remote, remoteNodes }),
    conversing(tools) {
      const conversation = models && { models, prompts, registry };
      return new AnyActors([
        new ToolActors({ registry, tools }),
        ...(conversation === undefined ? [] : [new LlmActors(conversation)]),
        ...(remote === undefined ? [] : [new RemoteActors({ ...remote, registry })]),
        ...(graphs === undefined
          ? []
          : [new GraphActors({ conversation, graphs, remoteNodes, registry, tools })]),
      ]);
    },
    async afterEnd(plan) {
      remoteEnding?.afterEnd(plan);
      await graphEnding?.afterEnd(plan);
    },
  };
}
