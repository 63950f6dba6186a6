import { afterAll, beforeAll } from "vitest";
import { scriptedMessageActor } from "../actors/scripted-message-actor.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { exporting } from "./event/exported.ts";
import { followingMany } from "./event/many.ts";
import { followingOne } from "./event/one.ts";
import { subscribeRefusals } from "./event/refused.ts";

/** The events of tasks as notifications: of one, of a session's, of all. */
export function eventContract(open: OpenWorld): void {
  let world: World;
  beforeAll(async () => {
    world = await open({ actor: scriptedMessageActor });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  followingOne(() => world);
  followingMany(() => world);
  subscribeRefusals(() => world);
  exporting(() => world);
}
