import type { OpenWorld } from "../world/world.ts";
import { planAppend } from "./plan/appending.ts";
import { planCorrect } from "./plan/correcting.ts";
import { planCreate } from "./plan/creating.ts";
import { planAnswers, planApply } from "./plan/deciding.ts";
import { planExplain } from "./plan/explaining.ts";
import { preparePlans } from "./plan/fixtures.ts";
import { planPrompt } from "./plan/guiding.ts";
import { planUse } from "./plan/making.ts";
import { planReading } from "./plan/reading.ts";
import { planRevert } from "./plan/reverting.ts";
import { planSubplans } from "./plan/subplans.ts";
import { planParts, planRollback } from "./plan/undoing.ts";

/** The platform's own methods on plans. What plans do in depth is the product's own test. */
export function planContract(open: OpenWorld): void {
  const prepared = preparePlans(open);
  planUse(prepared);
  planCreate(prepared);
  planReading(prepared);
  planExplain(prepared);
  planPrompt(prepared);
  planCorrect(prepared);
  planAppend(prepared);
  planSubplans(prepared);
  planApply(prepared);
  planParts(prepared);
  planRollback(prepared);
  planRevert(prepared);
  planAnswers(prepared);
}
