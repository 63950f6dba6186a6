import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PLAIN } from "../output/paint.ts";
import { PLAN_ID } from "../testing/samples.ts";
import { Screen } from "../testing/screen.ts";
import { LiveView } from "./live-view.ts";
import type { Observation } from "./observe.ts";
import { Progress } from "./progress.ts";

const NOTHING = { taskState: undefined, event: undefined, ask: undefined, text: undefined, gap: false };
const event = (name: string, facts: object = {}): Observation => ({
  ...NOTHING,
  event: { name, facts: { ...facts } },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open({ columns = 60, rows = 24, toldBelow = true } = {}) {
  const window = { screen: new Screen(columns), columns, rows };
  const view = new LiveView({
    stream: {
      write: (text) => window.screen.write(text),
      isTTY: true,
      get columns() {
        return window.columns;
      },
      rows,
    },
    progress: new Progress(PLAIN, false),
    paint: PLAIN,
    planId: PLAN_ID,
    now: Date.now,
    toldBelow,
  });
  const show = (...observations: Observation[]) => {
    for (const observation of observations) view.show(observation);
    vi.advanceTimersByTime(100);
  };
  return { view, show, window, screen: window.screen, lines: () => window.screen.text.split("\n") };
}

test("steps, subplans, decisions and what was used stand in one block that is drawn over itself", () => {
  const { show, screen } = open();
  show(event("plan.phase_changed", { phase: "execute", state: "processing" }));
  show(event("decision.created", { question: "How?", chosen: "edit", confidence: 0.8 }));
  show(event("tool.invoked", { tool: "shell" }), event("step.started", { index: 0, label: "run the tests" }));
  show(event("tool.output", { chunk: "1 passed\n" }));
  show(event("step.finished", { index: 0, label: "run the tests", status: "done", detail: "exit 0" }));
  show(event("step.started", { index: 1, label: "subplans" }));
  show(event("plan.child_started", { step: 1, subplan: "docs", child_plan: PLAN_ID }));
  show(event("plan.child_waiting", { step: 1, subplan: "docs", child_plan: PLAN_ID, prompt: "Which?" }));
  show(event("model.answered", { model: "m", usage: { input: 1000, output: 234 }, cost_usd: 0.0123 }));
  expect(screen.text).toBe(
    [
      `Plan ${PLAN_ID}  execute / running`,
      "◇ How? -> edit (80 %)",
      "✓ 1 run the tests (exit 0)",
      "▸ 2 subplans",
      "  ▸ docs 9Y0Z1A2B waits",
      "    waits for: Which?",
      `    agents plan status ${PLAN_ID}`,
      "Used: 1 tool call, 1,234 tokens, $0.0123",
    ].join("\n"),
  );
});

test("a model that thinks is told, with the last line that it says, until it has answered", () => {
  const { show, screen } = open();
  show(event("model.asked", { model: "openai/gpt" }), event("model.output", { chunk: "first\nI will" }));
  expect(screen.text).toContain("▸ openai/gpt is thinking\n  | I will");
  show(event("model.answered", { model: "openai/gpt", usage: {} }));
  expect(screen.text).not.toContain("thinking");
});

test("what takes long says how long, though nothing happens meanwhile", () => {
  const { show, screen } = open();
  show(event("step.started", { index: 0, label: "build" }));
  expect(screen.text).toMatch(/▸ 1 build$/);
  vi.advanceTimersByTime(5000);
  expect(screen.text).toMatch(/▸ 1 build {2}5 s$/);
});

test("a drawing is narrower than the terminal, whatever is in the labels", () => {
  const { show, lines } = open({ columns: 24 });
  show(event("step.started", { index: 0, label: `run\n  printf '${"漢".repeat(40)}'` }));
  show(event("step.started", { index: 1, label: "x".repeat(200) }));
  expect(lines()).toHaveLength(3);
  expect(lines()[1]).toBe("▸ 1 run printf '漢漢漢");
});

test("in a window that became narrower the old drawing is erased as a whole", () => {
  const { show, window, lines } = open({ columns: 60 });
  show(event("step.finished", { index: 0, label: "y".repeat(50), status: "done" }));
  // What the terminal makes of the drawing when it becomes half as wide: two rows of the step.
  window.screen = new Screen(30, `Plan ${PLAN_ID}\n✓ 1 ${"y".repeat(50)}\n`);
  window.columns = 30;
  vi.advanceTimersByTime(1000);
  expect(lines()).toEqual([`Plan ${PLAN_ID}`.slice(0, 29), `✓ 1 ${"y".repeat(25)}`]);
});

test("a drawing is never taller than the terminal; what is left out is the oldest", () => {
  const { show, lines } = open({ rows: 10 });
  show(
    ...Array.from({ length: 60 }, (_, index) =>
      event("step.finished", { index, label: "x", status: "done" }),
    ),
  );
  expect(lines()).toHaveLength(9);
  expect(lines()[0]).toMatch(/^Plan /);
  expect(lines()).toContain("✓ 60 x");
  expect(lines()).not.toContain("✓ 1 x");
});

test("it goes where its answer is told below, drops a question that is put below, and else stays", () => {
  const ask = { request_id: "q", prompt: "Which?", options: [], free_text: true };
  const asking = { ...NOTHING, ask };
  const step = event("step.started", { index: 0, label: "ask" });
  const told = open();
  told.show(step, asking);
  told.view.close("told");
  expect(told.screen.text).toBe("");
  const asked = open();
  asked.show(step, asking);
  asked.view.close("asked");
  expect(asked.screen.text).toBe(`Plan ${PLAN_ID}\n▸ 1 ask`);
  const elsewhere = open({ toldBelow: false });
  elsewhere.show(step, asking);
  elsewhere.view.close("told");
  expect(elsewhere.screen.text).toContain("Waits for: Which?");
});

test("words about the connection go with the next thing that happens, those about keys stay", () => {
  const { view, show, screen } = open();
  view.say("Connection lost; trying again (1)");
  expect(screen.text).toContain("trying again");
  show(event("step.started", { index: 0, label: "x" }));
  expect(screen.text).not.toContain("trying again");
  view.say("Detaching", true);
  show(event("step.started", { index: 1, label: "y" }));
  expect(screen.text).toMatch(/▸ 2 y\nDetaching$/);
});
