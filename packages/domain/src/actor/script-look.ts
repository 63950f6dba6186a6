import type { JsonObject } from "../task/message.ts";

/** How far a script has come that looks at a plan and says something about it. */
export interface ScriptLook {
  readonly attempt: number;
  /** Which question of the attempt it is about. */
  readonly about: string;
  /** Steps that it has taken. */
  readonly done: number;
  /** What its named steps have come to. */
  readonly results: JsonObject;
}
