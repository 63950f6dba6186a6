import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  brokenAfterDeath,
  ChaosPlace,
  type ChaosPlaceOptions,
  checkOldOrNew,
  checkOutcome,
  checkTries,
  checkUntouched,
  expectNone,
  Hand,
  type Kill,
  type Kills,
  type Outcome,
  type OwnerProcess,
  outcomeOf,
  type Picture,
  pictureOf,
  recordsOf,
  settle,
  unsound,
} from "@cleveragents/testing/chaos";
import { agents, server } from "./programs.ts";
import { DOCUMENTS, type Story } from "./stories.ts";

export interface Told {
  readonly outcomes: readonly Outcome[];
  readonly tree: Picture["tree"];
  /** What the project was in between, as a whole. */
  readonly between: readonly Picture["tree"][];
  /** How many owners were killed. */
  readonly killed: number;
  /** The fail points that they were killed at. */
  readonly diedAt: readonly string[];
  /** Passes of fail points by the owners that the story's own first kills do not concern. */
  readonly passed: readonly string[];
  /** How long the user's doings took, from the first owner on. */
  readonly tookMs: number;
}

/** A place whose project somebody has begun to work on: staged, not staged, not tracked. */
export async function openPlace(
  kills: Kills,
  afterDeath?: ChaosPlaceOptions["afterDeath"],
): Promise<ChaosPlace> {
  const place = await ChaosPlace.open({ server: await server(), agents: await agents(), kills, afterDeath });
  await place.repository.write("README.md", "# Demo\n\nSomething staged.\n");
  await place.repository.git("add", "README.md");
  await place.repository.write("check.sh", "echo not staged\n");
  await place.repository.write("mine.txt", "not tracked\n");
  return place;
}

/** Tells a story while nobody dies but whom it kills itself: what it comes to is what it must come to otherwise. */
export async function reference(story: Story): Promise<Told> {
  const known = told.get(story);
  if (known !== undefined) return known;
  const telling = tell(story, [], undefined);
  told.set(story, telling);
  return telling;
}

const told = new Map<Story, Promise<Told>>();

/**
 * Tells a story while owners are killed, and checks all that must hold: after each death, and in the end. What it must
 * come to is its reference, if it is not given.
 */
export async function killing(story: Story, kills: Kills, expected?: Expected): Promise<Told> {
  return tell(story, kills, expected ?? (await reference(story)));
}

type Expected = Pick<Told, "outcomes" | "tree"> & Partial<Pick<Told, "between">>;

async function tell(story: Story, kills: Kills, expected: Expected | undefined): Promise<Told> {
  const problems: string[] = [];
  let before: Picture | undefined;
  const afterDeath = async (place: ChaosPlace, { kill }: OwnerProcess) => {
    problems.push(...brokenAfterDeath(place));
    const settled = kill !== undefined && "at" in kill && kill.at.startsWith("owner.recovered");
    if (settled && isApplying(place)) problems.push("an apply that was cut off was not settled");
    // Until it is settled, by the next owner, a tree may be in between.
    if (before === undefined || expected === undefined || (isApplying(place) && !settled)) return;
    if (story.contested === true) return;
    const now = await pictureOf(place.repository);
    const whole = [expected.tree, ...(expected.between ?? [])].map((tree) =>
      checkOldOrNew(before as Picture, tree, now),
    );
    const best = whole.find(({ problems }) => problems.length === 0) ?? whole[0];
    problems.push(...(best?.problems ?? []));
  };
  await using place = await openPlace(killsAfter(story.first, kills), afterDeath);
  before = await pictureOf(place.repository);
  const began = performance.now();
  const hand = new Hand(place);
  await hand.furnish(...DOCUMENTS);
  const between: Picture["tree"][] = [];
  const plans = await story.tell(hand, place, async () => {
    between.push(await place.repository.tree());
  });
  const tookMs = performance.now() - began;
  problems.push(...(await settle(place)), ...(await unsound(place, story)));
  const after = await pictureOf(place.repository);
  const records = plans.flatMap((plan) => recordsOf(place).filter(({ taskId }) => taskId === plan));
  const killed = place.owners.filter((owner) => owner.killed).length;
  problems.push(...records.flatMap((record) => checkTries(record, killed)));
  if (recordsOf(place).length !== plans.length) problems.push("there are plans that nobody asked for");
  if (story.effects === undefined) problems.push(...checkUntouched(before, after));
  else {
    for (const [path, content] of Object.entries(story.effects)) {
      const found = await place.repository.read(path).then(String, () => "nothing");
      if (found !== content) problems.push(`${path} holds ${JSON.stringify(found)}`);
    }
  }
  if (expected !== undefined && story.effects !== undefined) {
    records.forEach((record, n) => {
      const outcome = expected.outcomes[n];
      if (outcome !== undefined) problems.push(...checkOutcome(record, outcome));
    });
    const { which, problems: mixed } = checkOldOrNew(before, expected.tree, after);
    problems.push(...mixed, ...(which === "new" ? [] : [`the project is ${which}, not new`]));
    if (!isDeepStrictEqual(between, expected.between ?? between))
      problems.push("in between it was something else");
  }
  expectNone(place, problems);
  return {
    outcomes: records.map(outcomeOf),
    tree: after.tree,
    between,
    killed,
    diedAt: place.diedAt,
    passed: place.passed(story.contested === true ? 0 : story.first.length),
    tookMs,
  };
}

/** The first owners die as the story wants, the others as the test does. */
function killsAfter(first: readonly Kill[], kills: Kills): Kills {
  if (typeof kills !== "function") return [...first, ...kills];
  return (place) => first[place.owners.length] ?? kills(place);
}

function isApplying(place: ChaosPlace): boolean {
  try {
    return readdirSync(join(place.dataDir, "journal")).some((name) => name.startsWith("apply-"));
  } catch {
    return false;
  }
}
