import type { FakeCliOptions } from "../fake-cli.ts";
import type { ScriptedAgentOptions } from "../scripted-agent.ts";

export const AT = "2026-07-01T11:00:00Z";

/** A list as the server answers it. */
export const page = (plural: string, ...items: object[]) => ({
  [plural]: items,
  total: items.length,
  next_page_token: "",
});

/** One command: what is typed, what the server is asked and answers, and what comes of it. */
export interface Case {
  readonly argv: string;
  /** The method that it is; commands that ask nobody, and those for any agent, have none. */
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: object;
  /** What `-o name` prints. */
  readonly names?: string;
  readonly more?: FakeCliOptions;
  /** Instead of our own server: what an agent of another make answers. */
  readonly agent?: ScriptedAgentOptions["answers"];
  /** The exit code, where it is not 0. */
  readonly code?: number;
}
