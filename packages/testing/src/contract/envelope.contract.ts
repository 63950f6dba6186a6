import { afterAll, beforeAll } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { batches } from "./envelope/batches.ts";
import { brokenText } from "./envelope/broken-text.ts";
import { emptyIds } from "./envelope/empty-ids.ts";
import { extensions } from "./envelope/extensions.ts";
import { ids } from "./envelope/ids.ts";
import { members } from "./envelope/members.ts";
import { order } from "./envelope/order.ts";
import { shapes } from "./envelope/shapes.ts";
import { versions } from "./envelope/versions.ts";

/** What every message owes and is owed, whatever its method (JSON-RPC 2.0; A2A §3.3, §3.6, §9). */
export function envelopeContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  ids(world);
  batches(world);
  brokenText(world);
  members(world);
  emptyIds(world);
  versions(world);
  extensions(world);
  order(world);
  shapes(world, open);
}
