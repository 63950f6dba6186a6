export type { Caller, Exchanged, Harness, OpenHarness, Supports } from "./harness.ts";
export { http } from "./http.ts";
export { inProcess } from "./in-process.ts";
export { rest } from "./rest.ts";
export { stdio } from "./stdio.ts";
