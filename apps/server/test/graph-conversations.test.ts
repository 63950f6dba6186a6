import { expect, test } from "vitest";
import { openThinking, WHOLE_TASK } from "./llm-server.ts";

const GRAPH = `name: pair
type: graph
description: Two who answer together
model: test/model
entry_node: think
nodes:
  think: { type: llm, prompt: "Think about: {{ input }}" }
  sure: { type: ask, question: "Is this right? {{ last }}", options: ["yes", "no"] }
  answer: { type: llm, prompt: "Answer. They said {{ nodes.sure.text }} to {{ nodes.think.text }}" }
edges:
  - { from: think, to: sure }
  - { from: sure, to: answer }
`;

test(
  "a session with a graph streams what its nodes say, asks in between, and goes on with the answer",
  WHOLE_TASK,
  async () => {
    await using server = await openThinking([{ text: "a thought" }, { text: "the answer" }]);
    const { client } = server;
    await client.call("_cleveragents/registry/actor/add", { document: GRAPH });
    const { session_id } = await client.call("session.create", { actor: "local/pair" });
    const tell = async (text: string, taskId?: string) => {
      const message = {
        messageId: `m-${text}`,
        role: "ROLE_USER" as const,
        contextId: session_id,
        parts: [{ text }],
        ...(taskId === undefined ? {} : { taskId }),
      };
      const { task } = (await client.call("SendMessage", { message })) as {
        task: {
          id: string;
          status: { state: string; message: { parts: { text: string }[] } };
          artifacts?: object[];
        };
      };
      return {
        id: task.id,
        state: task.status.state,
        text: task.status.message.parts[0]?.text,
        artifacts: JSON.stringify(task.artifacts ?? []),
      };
    };
    const asked = await tell("the sky");
    expect(asked).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      text: "Is this right? a thought\n- yes\n- no",
      artifacts: expect.stringContaining('"artifactId":"node-think"'),
    });
    expect(await server.machine.checkpoints.list({})).not.toEqual([]);
    await server.killAndStart();
    const answered = await tell("Yes", asked.id);
    expect(answered).toMatchObject({ state: "TASK_STATE_COMPLETED", text: "the answer" });
    expect(server.models.requests).toHaveLength(2);
    expect(JSON.stringify(server.models.requests[0]?.body["messages"])).toContain("Think about: the sky");
    expect(JSON.stringify(server.models.requests[1]?.body["messages"])).toContain(
      "They said yes to a thought",
    );
    expect(await server.machine.checkpoints.list({})).toEqual([]);

    const used = await client.call("_cleveragents/usage/show", { session_id });
    expect(used.total.calls).toBe(2);
    // What a session may use bounds the models of its graph, too.
    const poor = await client.call("session.create", { actor: "local/pair", budget: { tokens: 10 } });
    const refused = await client.call("_cleveragents/session/tell", {
      session_id: poor.session_id,
      text: "the sea",
    });
    expect(refused.task?.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { metadata: { reason: "BUDGET_EXCEEDED", budget: "tokens" } },
    });
    expect(server.models.requests).toHaveLength(2);
  },
);
