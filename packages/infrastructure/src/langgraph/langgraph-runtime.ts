import type { Advanced, GraphCheckpoints, GraphRuntime, GraphStep } from "@cleveragents/application";

/** Graphs on LangGraph, which is loaded with the first of them. */
export class LangGraphRuntime implements GraphRuntime {
  readonly #checkpoints: GraphCheckpoints;

  constructor(deps: { readonly checkpoints: GraphCheckpoints }) {
    this.#checkpoints = deps.checkpoints;
  }

  async advance(step: GraphStep): Promise<Advanced> {
    const { advance } = await import("./super-step.ts");
    return advance(this.#checkpoints, step);
  }

  async newest(thread: string): Promise<string | undefined> {
    return (await this.#checkpoints.get({ thread, namespace: "" }))?.id;
  }

  async fork(thread: string, at: string): Promise<string> {
    const { fork } = await import("./super-step.ts");
    return fork(this.#checkpoints, thread, at);
  }

  async forget(thread: string): Promise<void> {
    await this.#checkpoints.remove(thread);
  }
}
