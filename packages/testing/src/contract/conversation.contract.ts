import { afterAll, beforeAll } from "vitest";
import { scriptedMessageActor } from "../actors/scripted-message-actor.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { content } from "./conversation/content.ts";
import { rules } from "./conversation/rules.ts";
import { strangers } from "./conversation/strangers.ts";
import { sendStreamingMessage } from "./conversation/streaming.ts";
import { turns } from "./conversation/turns.ts";

/** Messages to somebody who answers: tasks that are no plans (A2A §3.1.1, §3.1.2, §3.4). */
export function conversationContract(open: OpenWorld): void {
  let world: World;
  beforeAll(async () => {
    world = await open({ bare: true, actor: scriptedMessageActor });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  turns(() => world);
  sendStreamingMessage(() => world);
  content(() => world);
  rules(() => world);
  strangers(() => world);
}
