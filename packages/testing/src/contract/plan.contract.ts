import type { OpenWorld } from "../world/world.ts";
import { planAnswers, planApply } from "./plan/deciding.ts";
import { preparePlans } from "./plan/fixtures.ts";
import { planUse } from "./plan/making.ts";
import { planReading } from "./plan/reading.ts";
import { planParts, planRollback } from "./plan/undoing.ts";

/** The platform's own methods on plans. What plans do in depth is the product's own test. */
export function planContract(open: OpenWorld): void {
  const prepared = preparePlans(open);
  planUse(prepared);
  planReading(prepared);
  planApply(prepared);
  planParts(prepared);
  planRollback(prepared);
  planAnswers(prepared);
}
