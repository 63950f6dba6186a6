import { a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import { smokeCheck } from "../a2a/conformance.ts";
import { resolveCard } from "../a2a/resolve-card.ts";
import { field } from "../a2a/task-text.ts";

/** Whether a live agent does what every A2A agent has to do: a few questions, not the whole test kit. */
export const command = a2aCommand(async (run) => {
  const { context, settings, fetch, output, values } = run;
  const reference = settings.text("agent-card");
  if (reference === undefined)
    throw a2aError("USAGE", "AGENT is missing", { hint: "agents a2a conformance https://agents.example" });
  const agent = await run.agent();
  const version = settings.text("a2a-version") ?? "1.0";
  const { card } = await resolveCard(
    reference,
    { version, signal: run.soon() },
    { fetch, readFile: context.readFile },
  );
  const checks = await smokeCheck(agent, card, {
    text: values.text("text") ?? "hello",
    told: ({ id, status }) => output.detail(`${id}: ${status}`),
  });
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  const { name } = agent.facts;
  const { binding, speaks } = agent.face;
  const result = {
    agent: name,
    binding,
    version: speaks,
    passed: count("pass"),
    failed: count("fail"),
    skipped: count("skip"),
    checks,
  };
  await run.emit(result, {
    text: () =>
      [
        field("Agent", name),
        field("Binding", `${binding}, A2A ${speaks}`),
        ...checks.map(({ id, section, status, detail }) =>
          field("Check", `${id} (${section}) ${status}: ${detail}`),
        ),
        field(
          "Passed",
          `${result.passed} of ${checks.length}, ${result.failed} failed, ${result.skipped} skipped`,
        ),
      ].join("\n"),
    names: () => checks.filter(({ status }) => status === "fail").map(({ id }) => id),
  });
  if (result.failed > 0) run.fail();
});
