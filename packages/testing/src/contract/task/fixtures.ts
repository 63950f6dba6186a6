import type { ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import { afterAll, beforeAll } from "vitest";
import { atRest, toGate, use } from "../../world/index.ts";
import type { OpenWorld, World } from "../../world/world.ts";

/** A world with plans in the states that most tests look at. */
export interface Prepared {
  readonly world: () => World;
  /** Waits to be started. */
  readonly manual: () => string;
  /** Waits for its changeset to be applied. */
  readonly gate: () => string;
  /** Finished without changes; started by this message, which was answered with this Task. */
  readonly done: () => string;
  readonly sent: () => { readonly message: MessageInput; readonly answer: ResultOf<"SendMessage"> };
}

/** Opens the world before the first test and closes it after the last. */
export function prepare(open: OpenWorld): Prepared {
  let world: World;
  let ids: Record<"manual" | "gate", string>;
  let sent: ReturnType<Prepared["sent"]>;
  beforeAll(async () => {
    world = await open({ project: "plain" });
    const manual = (await use(world, "idle")).plan_id;
    const message = callOf("idle", "ci");
    const [{ plan_id: gate }, answer] = await Promise.all([
      toGate(world, "touch"),
      world.client.call("SendMessage", { message }),
      atRest(world.client, manual),
    ]);
    ids = { manual, gate };
    sent = { message, answer };
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const done = () => (sent.answer as { task: ResultOf<"GetTask"> }).task.id;
  return { world: () => world, manual: () => ids.manual, gate: () => ids.gate, done, sent: () => sent };
}

type MessageInput = ParamsInputOf<"SendMessage">["message"];
let messages = 0;

/** A message of the user's with an id of its own. */
export function say(parts: string | MessageInput["parts"], more: Partial<MessageInput> = {}): MessageInput {
  return {
    messageId: `m-${++messages}`,
    role: "ROLE_USER",
    parts: typeof parts === "string" ? [{ text: parts }] : parts,
    ...more,
  };
}

/** A message that starts a plan. */
export function callOf(
  action: string,
  profile: string,
  more: Partial<MessageInput> = {},
  args: Record<string, string> = {},
): MessageInput {
  return say(
    [{ data: { action_name: action, project: "demo", automation_profile: profile, arguments: args } }],
    more,
  );
}

/** An answer as data. */
export function answerOf(data: Record<string, string>, more: Partial<MessageInput> = {}): MessageInput {
  return say([{ data: { type: "approval_response", ...data } }], more);
}
