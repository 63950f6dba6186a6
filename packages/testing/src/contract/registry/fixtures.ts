import { expect } from "vitest";
import type { World } from "../../world/world.ts";
import { aTime } from "../matchers.ts";

export const SCRIPT = "script: { steps: [{ say: { text: hello } }] }";
export const actorText = (name: string) =>
  `name: ${name}\ntype: script\ndescription: Says hello\n${SCRIPT}\n`;
export const actionText = (name: string, body = SCRIPT) =>
  `name: ${name}\ndescription: Says hello\ndefinition_of_done: it was said\n${body}\n`;
export const script = { decisions: [], steps: [{ say: { text: "hello" } }] };
export const revision = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

export const actionItem = (name: string, more: object = {}) => ({
  name,
  description: "Says hello",
  state: "available",
  strategy_actor: null,
  execution_actor: null,
  reusable: true,
  created_at: aTime,
  updated_at: aTime,
  ...more,
});
export const actorItem = (name: string, source: "custom" | "action") => ({
  name,
  type: "script",
  description: "Says hello",
  source,
});

export type AddDocument<R = unknown> = (
  document: string,
  more?: { update?: boolean; file?: string },
  world?: World,
) => Promise<R>;
