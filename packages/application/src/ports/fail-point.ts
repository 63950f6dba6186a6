import type { FailPointName } from "./fail-point-names.ts";

/** Set by the build of a release, and by nothing else. */
declare const __CLEVERAGENTS_RELEASE__: boolean | undefined;

/**
 * Whether fail points exist. A release folds it to false, and with it goes every `if (WITH_FAIL_POINTS)`, so that its
 * program has neither their names nor a call of them.
 */
export const WITH_FAIL_POINTS: boolean = typeof __CLEVERAGENTS_RELEASE__ === "undefined";

/**
 * Told when the work passes a named point; `of` says which file where there are several. It may end the process, stop
 * it, or throw: then the work is cut off there, and nothing is undone that a killed process would not have undone.
 * Call it as `if (WITH_FAIL_POINTS) this.#deps.failPoint?.("…")`.
 */
export type FailPoint = (name: FailPointName, of?: string) => void;
