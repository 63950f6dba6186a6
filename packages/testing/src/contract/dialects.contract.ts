import type { OpenWorld } from "../world/world.ts";
import { documentMessages } from "./dialects/document-messages.ts";
import { legacyAnswers } from "./dialects/legacy-answers.ts";
import { legacyMessages } from "./dialects/legacy-messages.ts";
import { legacyStreams } from "./dialects/legacy-streams.ts";
import { names } from "./dialects/names.ts";
import { prepare } from "./task/fixtures.ts";

/** The standard methods as A2A 0.3 and the documents before it spell them (A2A §3.6, appendix A). */
export function dialectsContract(open: OpenWorld): void {
  const prepared = prepare(open);
  names(prepared);
  legacyMessages(prepared);
  legacyAnswers(prepared);
  legacyStreams(prepared);
  documentMessages(prepared);
}
