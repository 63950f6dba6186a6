import { expect } from "vitest";

/** Things that differ from run to run, in the form that they must have. */
export const anId = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as string;
export const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
export const aDigest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
