import { type Client, RemoteError, type ResultOf, type StreamItem } from "@cleveragents/protocol";
import {
  atRest,
  http,
  inProcess,
  logOf,
  type OpenHarness,
  openWorld,
  stdio,
  toGate,
  use,
  type World,
} from "@cleveragents/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";
import { Placeholders } from "./placeholders.ts";

const bindings: Readonly<Record<string, OpenHarness>> = { inProcess, stdio, http };
type Update = StreamItem<ResultOf<"SubscribeToTask">>;
/** What came back, in the order in which it was asked for. */
type Transcript = Readonly<Record<string, unknown>>;

describe("one session over every binding", () => {
  const transcripts = new Map<string, Transcript>();

  beforeAll(async () => {
    for (const [name, openHarness] of Object.entries(bindings))
      transcripts.set(name, await recordSession(openHarness));
  }, 120_000);

  test("the session is what it claims to be", () => {
    const { applied, followed, rejected, cancelled } = transcripts.get("inProcess") ?? {};
    expect(applied).toMatchObject({ state: "applied", already: false });
    expect((followed as unknown[]).length).toBeGreaterThan(20);
    expect(rejected).toMatchObject({ state: "cancelled", cancel_reason: "not like this" });
    expect(cancelled).toMatchObject({ state: "cancelled", reason: "never mind" });
  });

  const [reference, ...others] = Object.keys(bindings);
  test.each(others)(
    `results and events over %s are those over ${reference}, but for ids and times`,
    (name) => {
      const expected = transcripts.get(reference ?? "") ?? {};
      const actual = transcripts.get(name) ?? {};
      expect(Object.keys(actual)).toEqual(Object.keys(expected));
      for (const step of Object.keys(expected)) expect(actual[step], step).toEqual(expected[step]);
    },
  );
});

const ACTION = `
name: parity
description: Greets somebody else
definition_of_done: the check passes
arguments: [{ name: who, required: true }]
script:
  decisions:
    - { id: tone, question: "How is {{ args.who }} greeted?", choose: [{ choice: calm, confidence: 0.8, rationale: as always }] }
  steps:
    - edit: { path: src/greeting.txt, find: world, replace: "{{ args.who }}" }
    - when: decisions.tone == "loud"
      say: { text: never }
    - name: check
      run: { command: sh check.sh; rm obsolete.txt }
    - say: { text: "The check said {{ results.check.stdout }}" }
`;

async function recordSession(openHarness: OpenHarness): Promise<Transcript> {
  await using world = await openWorld(openHarness, openServer);
  const placeholders = new Placeholders({ [world.repository.root]: "<project>" });
  const transcript: Record<string, unknown> = {};
  const record = <T>(step: string, value: T): T => {
    transcript[step] = placeholders.in(value);
    return value;
  };
  await applyOne(world, record);
  await rejectOne(world, record);
  await cancelOne(world, record);
  return transcript;
}

type Recorder = <T>(step: string, value: T) => T;

/** Started by plain text, executed by data, followed meanwhile, applied by the method. */
async function applyOne(world: World, record: Recorder): Promise<void> {
  const { client } = world;
  record(
    "added",
    await client.call("_cleveragents/registry/action/add", { document: ACTION, file: "parity.yaml" }),
  );
  const call = {
    action_name: "parity",
    project: "demo",
    automation_profile: "manual",
    arguments: { who: "Ada" },
  };
  const { plan_id } = record("used", await client.call("_cleveragents/plan/use", call));
  record("waiting", await atRest(client, plan_id));
  record(
    "started",
    await client.call("SendMessage", {
      message: { messageId: "start", taskId: plan_id, role: "ROLE_USER", parts: [{ text: "yes, go ahead" }] },
    }),
  );
  const stream = client.stream("SubscribeToTask", { id: plan_id })[Symbol.asyncIterator]();
  record("subscribed", (await stream.next()).value);
  const { waiting_for } = await client.call("_cleveragents/plan/status", { plan_id });
  const data = { type: "approval_response", request_id: waiting_for?.request_id ?? "", choice: "yes" };
  record(
    "executed",
    whole(
      await client.call("SendMessage", {
        message: { messageId: "go", taskId: plan_id, role: "ROLE_USER", parts: [{ data }] },
      }),
    ),
  );
  record("status", await client.call("_cleveragents/plan/status", { plan_id }));
  const { digest } = record("diff", await client.call("_cleveragents/plan/diff", { plan_id }));
  record("artifacts", await client.call("_cleveragents/plan/artifacts", { plan_id }));
  record("tree", await client.call("_cleveragents/plan/tree", { plan_id }));
  record("applied", await client.call("_cleveragents/plan/apply", { plan_id, digest }));
  record("followed", merged(await rest(stream)));
  const log = await logOf(client, plan_id);
  expect(log[0]?.cursor).toBe(`${plan_id}:1`);
  record("log", merged(log));
  record("task", whole(await client.call("GetTask", { id: plan_id })));
  record("files", await world.repository.tree());
}

async function rejectOne(world: World, record: Recorder): Promise<void> {
  const { client } = world;
  const { plan_id } = record("offered", await toGate(world, "touch"));
  record("rejection", await client.call("_cleveragents/plan/reject", { plan_id, reason: "not like this" }));
  record("rejected", await atRest(client, plan_id));
  record("rejected log", merged(await logOf(client, plan_id)));
}

async function cancelOne(world: World, record: Recorder): Promise<void> {
  const { client } = world;
  const { plan_id } = await use(world, "idle");
  await atRest(client, plan_id);
  record("cancelled", await client.call("_cleveragents/plan/cancel", { plan_id, reason: "never mind" }));
  record("cancelled log", merged(await logOf(client, plan_id)));
  record("cancelled again", await errorOf(client.call("_cleveragents/plan/cancel", { plan_id })));
  record("task cancelled again", await errorOf(client.call("CancelTask", { id: plan_id })));
  record("unknown", await errorOf(client.call("GetTask", { id: "nope" })));
  record("unlisted", await errorOf((client as Client).request("Nope", {})));
  record(
    "listed",
    (await client.call("ListTasks", {})).tasks.map(({ status }) => status.state),
  );
}

async function rest(stream: AsyncIterator<Update>): Promise<Update[]> {
  const items: Update[] = [];
  for (let next = await stream.next(); next.done !== true; next = await stream.next()) items.push(next.value);
  return items;
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!RemoteError.is(error)) throw new Error("it was not refused", { cause: error });
  const { code, message, reason, hint, data } = error;
  return { code, message, reason, hint, data };
}

type Artifact = {
  readonly artifactId: string;
  readonly parts: readonly { readonly text?: string | undefined }[];
};

/**
 * Results of a stream in which the chunks of one artifact are put together: into how many a command's output is cut is
 * a matter of time. Every cursor must be one more than the last.
 */
function merged(items: readonly Update[]): unknown[] {
  const results: Update["result"][] = [];
  let seq: number | undefined;
  for (const { cursor, result } of items) {
    const now = Number(cursor?.split(":")[1]);
    expect(now).toBe(seq === undefined ? now : seq + 1);
    seq = now;
    const last = results.at(-1);
    if (
      "artifactUpdate" in result &&
      result.artifactUpdate.append === true &&
      last !== undefined &&
      "artifactUpdate" in last
    ) {
      const { artifact, ...update } = last.artifactUpdate;
      const parts = [...artifact.parts, ...result.artifactUpdate.artifact.parts];
      const { lastChunk = false } = result.artifactUpdate;
      results[results.length - 1] = {
        artifactUpdate: { ...update, lastChunk, artifact: joined({ ...artifact, parts }) },
      };
    } else results.push(result);
  }
  return results;
}

/** A task or a result with one, in which the text of each artifact is one part. */
function whole(result: unknown): unknown {
  const value = result as { task?: object; artifacts?: readonly Artifact[] };
  if (value.task !== undefined) return { ...value, task: whole(value.task) };
  return value.artifacts === undefined ? value : { ...value, artifacts: value.artifacts.map(joined) };
}

function joined<A extends Artifact>(artifact: A): A {
  const [first] = artifact.parts;
  if (first?.text === undefined || artifact.parts.some(({ text }) => text === undefined)) return artifact;
  return { ...artifact, parts: [{ ...first, text: artifact.parts.map(({ text }) => text).join("") }] };
}
