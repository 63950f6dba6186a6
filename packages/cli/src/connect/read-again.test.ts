import { RemoteError, TransportError } from "@cleveragents/protocol";
import { expect, test, vi } from "vitest";
import { readAgain } from "./read-again.ts";

const lost = new TransportError("CONNECTION_LOST", "the peer ended the connection");
const stopping = new RemoteError({ code: -32000, message: "stopping", data: [{ reason: "SHUTTING_DOWN" }] });

test.each([lost, stopping])("a question that was lost with the agent is asked again", async (error) => {
  const read = vi
    .fn(async () => "answer")
    .mockRejectedValueOnce(error)
    .mockRejectedValueOnce(error);
  expect(await readAgain(read, { pauseMs: 0 })).toBe("answer");
  expect(read).toHaveBeenCalledTimes(3);
});

test("an answer that is an error is not asked for again, nor is an agent that stays lost for ever", async () => {
  const refused = new RemoteError({ code: -32001, message: "not found" });
  const read = vi.fn(() => Promise.reject(refused));
  await expect(readAgain(read, { pauseMs: 0 })).rejects.toBe(refused);
  expect(read).toHaveBeenCalledTimes(1);
  const never = vi.fn(() => Promise.reject(lost));
  await expect(readAgain(never, { pauseMs: 0 })).rejects.toBe(lost);
  expect(never).toHaveBeenCalledTimes(4);
});
