import type { Logger } from "@cleveragents/application";
import { progress } from "./rounds.ts";

const nothing = () => undefined;

/** A benchmark that logs errors measures nothing: they are shown. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: (fields, message) => progress(`error: ${message} ${JSON.stringify(fields)}`),
};
