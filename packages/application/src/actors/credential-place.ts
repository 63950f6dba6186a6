import type { JsonObject } from "@cleveragents/domain";
import type { RemoteActor } from "../ports/remote-agent.ts";

/** Where an actor's credential is looked up, for programs: names of places, never what stands there. */
export function placeOf({ credential }: RemoteActor): JsonObject {
  if (credential?.env !== undefined) return { variable: credential.env, file: `keys/${credential.env}` };
  return credential?.file === undefined ? {} : { file: `keys/${credential.file}` };
}

/** What somebody can do about a credential that is missing or refused. */
export function whereToPut({ name, credential }: RemoteActor): string {
  if (credential?.env !== undefined)
    return `Put it into the file keys/${credential.env} of the data directory (chmod 600), or set ${credential.env} where the agent is started and start it again`;
  if (credential?.file !== undefined)
    return `Put it into the file keys/${credential.file} of the data directory (chmod 600)`;
  return `${name} has no \`credential\`: give it one, and make this plan or this session anew`;
}
