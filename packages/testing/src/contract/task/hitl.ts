import { HITL_EXTENSION, type ResultOf } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { callOf, type Prepared, say } from "./fixtures.ts";

type Task = ResultOf<"GetTask">;
const ACTIVE = { extensions: [HITL_EXTENSION] };

/** kagent's extension for people in the loop: requests in its form where it is activated, answers always. */
export function hitl({ world }: Prepared): void {
  const started = async (action: string, profile: string) => {
    const message = callOf(action, profile);
    const { task } = (await world().client.call("SendMessage", { message }, ACTIVE)) as { task: Task };
    const request = task.status.message?.metadata?.[HITL_EXTENSION] as Record<string, unknown>;
    return { task, request };
  };
  const answer = (taskId: string, value: object) =>
    world().client.call("SendMessage", {
      message: say("see the metadata", { taskId, metadata: { [HITL_EXTENSION]: value } as never }),
    });

  describe("kagent's extension", () => {
    test("a gate is the approval of one call, which is answered by its id", async () => {
      const { task, request } = await started("idle", "manual");
      const text = task.status.message?.parts[0]?.text;
      expect(request).toEqual({
        type: "tool_approval_request",
        hint: text,
        tools: [
          {
            id: expect.any(String),
            call_id: expect.any(String),
            name: "plan/execute",
            args: { plan_id: task.id },
          },
        ],
      });
      expect(task.status.message?.extensions).toContain(HITL_EXTENSION);
      const plain = await world().client.call("GetTask", { id: task.id });
      expect(plain.status.message?.metadata).not.toHaveProperty([HITL_EXTENSION]);
      const [{ id = "" } = {}] = request["tools"] as { id: string }[];
      const approvals = [{ id, approved: false, rejection_reason: "not today" }];
      for (const unclear of [
        [],
        [...approvals, { id, approved: true }],
        [{ id }],
        [{ id: "x", approved: true }],
      ])
        await expect(
          answer(task.id, { type: "tool_approval_response", approvals: unclear }),
        ).rejects.toMatchObject({ reason: expect.stringMatching(/ANSWER|INVALID/) });
      const over = await answer(task.id, { type: "tool_approval_response", approvals });
      expect(over).toMatchObject({ task: { status: { state: "TASK_STATE_CANCELED" } } });
    });

    test("a question is asked with its choices, and takes one of them", async () => {
      const { task, request } = await started("ask", "trusted");
      expect(request).toMatchObject({
        type: "ask_user_request",
        questions: [{ question: expect.any(String), choices: expect.arrayContaining([expect.any(String)]) }],
      });
      const { id, questions } = request as { id: string; questions: { choices: string[] }[] };
      const chosen = questions[0]?.choices[0] ?? "";
      const went = await answer(task.id, { type: "ask_user_response", id, answers: [{ answer: [chosen] }] });
      const next = (went as { task: Task }).task;
      expect(next.status.message?.metadata).not.toEqual(task.status.message?.metadata);
      await world()
        .client.call("CancelTask", { id: task.id })
        .catch(() => undefined);
    });
  });
}
