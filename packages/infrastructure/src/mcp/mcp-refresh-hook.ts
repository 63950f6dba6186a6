import type { Logger } from "@cleveragents/application";

/** Whoever has put together something of tools, and does so anew when they are others. */
export interface RefreshesSkills {
  refreshAll(): Promise<unknown> | unknown;
}

/**
 * Has skills refreshed when a server's tools have changed. Changes that come while they are refreshed count as one, and
 * are not lost: they are refreshed once more.
 */
export class MCPRefreshHook {
  readonly #skills: RefreshesSkills;
  readonly #logger: Logger | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(skills: RefreshesSkills, logger?: Logger) {
    this.#skills = skills;
    this.#logger = logger;
  }

  /** Settles when they are refreshed, or that has failed and was logged. A function of its own: it is handed on. */
  readonly onToolsChanged = async (server: string): Promise<void> => {
    this.#again = true;
    this.#running ??= this.#refresh(server).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  };

  async #refresh(server: string): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#skills.refreshAll();
      } catch (error) {
        this.#logger?.warn(
          { server, error: (error as Error).message },
          "skills could not be refreshed after the tools of an MCP server had changed",
        );
      }
    }
  }
}
