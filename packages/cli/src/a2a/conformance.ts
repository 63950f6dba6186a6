import { checkAgentCard, RemoteError } from "@cleveragents/protocol";
import type { Agent } from "./agent.ts";
import { refusalName } from "./agent-errors.ts";
import { isTerminal, listOf, objectOf, readEvent, readTask, type TaskView } from "./answers.ts";
import type { Operation, Params } from "./operations.ts";
import { taskProblem } from "./task-problem.ts";

export interface CheckOutcome {
  readonly id: string;
  /** Of the A2A specification. */
  readonly section: string;
  readonly status: "pass" | "fail" | "skip";
  readonly detail: string;
}

/** A reason not to check something; anything else that is thrown is a failure. */
class Skip extends Error {}
/** What was found instead. */
class Wrong extends Error {}

interface Check {
  readonly id: string;
  readonly section: string;
  readonly run: (smoke: Smoke) => Promise<string>;
}

const UNKNOWN_TASK = "00000000-0000-0000-0000-000000000000";

/** One pass over an agent: what was sent, and what came of it. */
class Smoke {
  readonly agent: Agent;
  readonly card: object;
  readonly text: string;
  task: TaskView | undefined;

  constructor(agent: Agent, card: object, text: string) {
    this.agent = agent;
    this.card = card;
    this.text = text;
  }

  message(): Params {
    return {
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: this.text }] },
    };
  }

  /** The task of the message that was sent first. */
  sent(): TaskView {
    if (this.task === undefined) throw new Skip("the message has made no task to look at");
    return this.task;
  }

  /** Passes where the agent refuses, under this name. */
  async refused(operation: Operation, params: Params, name: string): Promise<string> {
    try {
      await this.agent.call(operation, params);
    } catch (error) {
      const refusal = refusalName(error);
      if (refusal === undefined) throw error;
      if (refusal !== name) throw new Wrong(`it refuses with ${refusal}, where ${name} is due`);
      return name;
    }
    throw new Wrong(`it answers, where ${name} is due`);
  }

  /** Throws for what is no task of A2A 1.0; the shapes of 0.3 are not looked at. */
  assertTask(value: unknown): void {
    const problem = this.agent.face.speaks === "1.0" ? taskProblem(value) : undefined;
    if (problem !== undefined) throw new Wrong(`its answer does not fit the schema: ${problem}`);
  }
}

const CHECKS: readonly Check[] = [
  {
    id: "card",
    section: "§4.4.1",
    async run({ card }) {
      const { versions, problems } = checkAgentCard(card);
      const [first] = problems;
      if (first !== undefined) throw new Wrong(`A2A ${first.version}: ${first.path}: ${first.message}`);
      if (versions.length === 0) throw new Wrong("it is of no version of A2A");
      return `A2A ${versions.join(", ")}`;
    },
  },
  {
    id: "send",
    section: "§3.1.1",
    async run(smoke) {
      const answer = await smoke.agent.call("SendMessage", smoke.message());
      const task =
        objectOf(answer)["task"] ?? (objectOf(answer)["status"] === undefined ? undefined : answer);
      if (task === undefined) {
        if (listOf(objectOf(objectOf(answer)["message"] ?? answer)["parts"]).length > 0) return "a message";
        throw new Wrong("its answer has neither a task nor a message with parts");
      }
      smoke.assertTask(task);
      smoke.task = readTask(task);
      return `a task, ${smoke.task.state}`;
    },
  },
  {
    id: "get",
    section: "§3.1.3",
    async run(smoke) {
      const { id } = smoke.sent();
      const answer = await smoke.agent.call("GetTask", { id });
      smoke.assertTask(answer);
      const task = readTask(answer);
      if (task.id !== id) throw new Wrong(`it answers with the task ${task.id}`);
      smoke.task = task;
      return task.state;
    },
  },
  {
    id: "get-unknown",
    section: "§5.4",
    run: (smoke) => smoke.refused("GetTask", { id: UNKNOWN_TASK }, "TaskNotFoundError"),
  },
  {
    id: "list",
    section: "§3.1.4",
    async run(smoke) {
      if (smoke.agent.face.speaks !== "1.0") throw new Skip("A2A 0.3 has no lists");
      const { id } = smoke.sent();
      const answer = await smoke.agent.call("ListTasks", { pageSize: 1 });
      const page = listOf(objectOf(answer)["tasks"]);
      for (const task of page) smoke.assertTask(task);
      if (page.length > 1) throw new Wrong(`a page of 1 has ${page.length} tasks`);
      const own = await smoke.agent.call("ListTasks", { contextId: smoke.sent().contextId });
      if (!listOf(objectOf(own)["tasks"]).some((task) => task["id"] === id))
        throw new Wrong("the task is not in the list of its context");
      return "pages, and filters by context";
    },
  },
  {
    id: "cancel-unknown",
    section: "§5.4",
    run: (smoke) => smoke.refused("CancelTask", { id: UNKNOWN_TASK }, "TaskNotFoundError"),
  },
  {
    id: "cancel-ended",
    section: "§3.1.5",
    async run(smoke) {
      const { id, state } = smoke.sent();
      if (!isTerminal(state)) throw new Skip(`the task is ${state}`);
      return smoke.refused("CancelTask", { id }, "TaskNotCancelableError");
    },
  },
  {
    id: "send-to-unknown",
    section: "§3.4.2",
    async run(smoke) {
      const { message } = smoke.message();
      const params = { message: { ...objectOf(message), taskId: UNKNOWN_TASK } };
      return smoke.refused("SendMessage", params, "TaskNotFoundError");
    },
  },
  {
    id: "send-nothing",
    section: "§3.3.2",
    run: (smoke) => smoke.refused("SendMessage", {}, "InvalidParamsError"),
  },
  {
    id: "stream",
    section: "§3.1.2",
    async run(smoke) {
      const { agent } = smoke;
      if (!agent.facts.capabilities.includes("streaming")) throw new Skip("the card declares no streaming");
      let first: string | undefined;
      let last: string | undefined;
      for await (const element of agent.stream("SendStreamingMessage", smoke.message())) {
        const event = readEvent(element);
        first ??= event.kind;
        if (event.kind === "task") last = event.task.state;
        if (event.kind === "status") last = event.state;
      }
      if (first === "message") return "one message";
      if (first !== "task") throw new Wrong(`its first event is ${first ?? "none"}, where a task is due`);
      return `from the task to ${last ?? "its end"}`;
    },
  },
  {
    id: "push",
    section: "§3.1.7",
    async run(smoke) {
      if (smoke.agent.facts.capabilities.includes("push notifications"))
        throw new Skip("the card declares them, and an address would be posted to");
      const { id } = smoke.sent();
      const params = { taskId: id, url: "https://example.invalid/hook" };
      return smoke.refused("CreateTaskPushNotificationConfig", params, "PushNotificationNotSupportedError");
    },
  },
];

/** Looks at what every A2A agent has to do; `told` hears of each as it is known. */
export async function smokeCheck(
  agent: Agent,
  card: object,
  { text, told }: { readonly text: string; readonly told: (outcome: CheckOutcome) => void },
): Promise<readonly CheckOutcome[]> {
  const smoke = new Smoke(agent, card, text);
  const outcomes: CheckOutcome[] = [];
  for (const { id, section, run } of CHECKS) {
    const outcome = { id, section, ...(await outcomeOf(run, smoke)) };
    told(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function outcomeOf(run: Check["run"], smoke: Smoke): Promise<Pick<CheckOutcome, "status" | "detail">> {
  try {
    return { status: "pass", detail: await run(smoke) };
  } catch (error) {
    if (error instanceof Skip) return { status: "skip", detail: error.message };
    // Without an answer there is nothing to judge.
    if (!(error instanceof Wrong) && refusalName(error) === undefined) throw error;
    const word = RemoteError.is(error) ? `it refuses: ${error.message}` : (error as Error).message; // of one of ours
    return { status: "fail", detail: word };
  }
}
