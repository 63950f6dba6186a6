import { type Dialect, STANDARD_METHODS } from "../dialect.ts";
import { camelCased } from "./requests.ts";

/** A2A 1.0, which everything behind the dispatcher is written in. */
export const v1: Dialect = {
  version: "1.0",
  names: new Map(STANDARD_METHODS.map((name) => [name, name])),
  params: (_, params) => camelCased(params),
  field: (_, field) => field,
  result: (_, result) => result,
  element: (_, element) => element,
};
