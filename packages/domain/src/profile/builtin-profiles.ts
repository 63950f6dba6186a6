import { DEFAULT_GUARDS } from "../policy/guards.ts";
import { type AutomationProfile, GATES, type Gate } from "./profile.ts";

type Row = [
  name: string,
  description: string,
  thresholds: readonly number[],
  sandbox: boolean,
  checkpoints: boolean,
  unsafe: boolean,
];

/** Thresholds stand in the order of {@link GATES}. */
const ROWS: readonly Row[] = [
  ["manual", "a human starts and approves everything", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], true, true, false],
  [
    "review",
    "phases start by themselves, decisions are reviewed",
    [0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    true,
    true,
    false,
  ],
  ["supervised", "plans by itself, executes when told", [0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1], true, true, false],
  [
    "cautious",
    "goes on where it is confident",
    [0.6, 0.7, 1, 0.7, 0.8, 0.8, 0.9, 0.9, 0.8, 0.5, 0.9],
    true,
    true,
    false,
  ],
  ["trusted", "executes by itself, applies when told", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1], true, true, false],
  ["auto", "everything but applying goes by itself", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], true, true, false],
  ["ci", "everything goes by itself, inside a sandbox", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], true, true, false],
  [
    "full-auto",
    "everything goes by itself, unsafe tools included",
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    false,
    false,
    true,
  ],
];

export const DEFAULT_PROFILE = "supervised";

export const BUILTIN_PROFILES: readonly AutomationProfile[] = ROWS.map(
  ([name, description, thresholds, requireSandbox, requireCheckpoints, allowUnsafeTools]) => ({
    name,
    description,
    thresholds: Object.fromEntries(GATES.map((gate, i) => [gate, thresholds[i]])) as Record<Gate, number>,
    requireSandbox,
    // They have to work on every host; who wants no less says so of the plan or the server.
    requireIsolation: false,
    requireCheckpoints,
    allowUnsafeTools,
    guards: DEFAULT_GUARDS,
    budget: {},
  }),
);

export class UnknownProfileError extends Error {
  override readonly name = "UnknownProfileError";
  readonly known: readonly string[];
  readonly profile: string;
  /** `custom`: the profiles that somebody registered. */
  constructor(profile: string, custom: readonly string[] = []) {
    super(`no automation profile ${profile}`);
    this.profile = profile;
    this.known = [...BUILTIN_PROFILES.map(({ name }) => name), ...custom];
  }
}

/** Throws {@link UnknownProfileError}, which lists the known ones; an unknown name never falls back. */
export function builtinProfile(name: string): AutomationProfile {
  const found = BUILTIN_PROFILES.find((profile) => profile.name === name);
  if (found === undefined) throw new UnknownProfileError(name);
  return found;
}
