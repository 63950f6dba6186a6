import { listOf, objectOf } from "./answers.ts";

const STATES =
  /^TASK_STATE_(UNSPECIFIED|SUBMITTED|WORKING|COMPLETED|FAILED|CANCELED|INPUT_REQUIRED|REJECTED|AUTH_REQUIRED)$/;
const CONTENTS = ["text", "raw", "url", "data"];

/** Why something is no task of A2A 1.0 (§4.1), if it is none. Members that nobody knows are allowed. */
export function taskProblem(value: unknown): string | undefined {
  const task = objectOf(value);
  for (const member of ["id", "contextId"])
    if (typeof task[member] !== "string" || task[member] === "") return `${member} is missing`;
  const status = objectOf(task["status"]);
  if (!STATES.test(String(status["state"])))
    return `status.state is ${JSON.stringify(status["state"]) ?? "missing"}`;
  const { timestamp, message } = status;
  if (timestamp !== undefined && !/^\d{4}-\d\d-\d\dT.*Z$/.test(String(timestamp)))
    return "status.timestamp is no time in UTC";
  const messages = [...(message === undefined ? [] : [message]), ...listOf(task["history"])];
  for (const one of messages) {
    const problem = messageProblem(objectOf(one));
    if (problem !== undefined) return problem;
  }
  for (const artifact of listOf(task["artifacts"])) {
    if (typeof artifact["artifactId"] !== "string") return "an artifact has no artifactId";
    const problem = partsProblem(artifact["parts"]);
    if (problem !== undefined) return `artifact ${artifact["artifactId"]}: ${problem}`;
  }
  return undefined;
}

function messageProblem(message: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof message["messageId"] !== "string") return "a message has no messageId";
  if (!/^ROLE_(USER|AGENT)$/.test(String(message["role"]))) return "a message has no role";
  return partsProblem(message["parts"]);
}

function partsProblem(parts: unknown): string | undefined {
  const list = listOf(parts);
  if (list.length === 0) return "there are no parts";
  const whole = list.every((part) => CONTENTS.filter((member) => part[member] !== undefined).length === 1);
  return whole ? undefined : "a part has not exactly one of text, raw, url and data";
}
