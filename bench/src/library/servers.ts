import { type Child, startRole } from "./child.ts";
import { scratch } from "./scratch.ts";

/** Ours, the SDK's and bare ones, each with the same small task where it has tasks, and a process that asks them. */
export interface Servers extends AsyncDisposable {
  readonly ours: Server;
  readonly sdk: Server;
  readonly bare: Server;
  /** Bare, and all that it answers is on the disk. */
  readonly durable: Server;
  readonly load: Child;
}
export interface Server {
  readonly child: Child;
  readonly port: number;
  /** Of the small task. */
  readonly taskId: string;
}

export async function openServers(): Promise<Servers> {
  await using stack = new AsyncDisposableStack();
  const place = stack.use(scratch());
  const [ours, sdk, bare, durable, load] = await Promise.all([
    startRole("ours", { path: place.join("store.db") }),
    startRole("sdk"),
    startRole("bare"),
    startRole("durable", { path: place.join("durable.db") }),
    startRole("load"),
  ]);
  for (const child of [ours, sdk, bare, durable, load]) stack.use(child);
  const taskId = await ours.ask<string>("small");
  const { result: task } = await load.ask<{ result: unknown }>("call", getTask(portOf(ours), taskId));
  await sdk.ask("task", task);
  await bare.ask("task", task);
  const servers = { ours, sdk, bare };
  for (const [name, child] of Object.entries(servers)) {
    const answer = await load.ask<{ result?: { id?: string } }>("call", getTask(portOf(child), taskId));
    if (answer.result?.id !== taskId) throw new Error(`${name} has no task: ${JSON.stringify(answer)}`);
  }
  const as = (child: Child): Server => ({ child, port: portOf(child), taskId });
  const moved = stack.move();
  return {
    ours: as(ours),
    sdk: as(sdk),
    bare: as(bare),
    durable: as(durable),
    load,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

export function portOf(child: Child): number {
  return Number(child.ready);
}

export function getTask(port: number, taskId: string) {
  return { port, method: "GetTask", params: { id: taskId } };
}
