import { type ChaosPlace, type Hand, type Kill, pause } from "@cleveragents/testing/chaos";

/** Ten steps of every kind. Those that run a command leave a line behind, so that one that ran twice shows. */
const TEN_STEPS = `
name: ten-steps
description: Changes a bit of everything
definition_of_done: every step has left its mark once
script:
  decisions:
    - id: way
      question: Which way?
      alternatives: [{ id: left }, { id: right }]
      choose: [{ choice: left, confidence: 0.9 }]
  steps:
    - edit: { path: src/greeting.txt, find: world, replace: chaos }
    - run: { command: "echo 2 >> effects.txt; echo two; ls > listing.txt" }
    - rename: { from: docs/old-name.md, to: docs/new-name.md }
    - write: { path: assets/logo.bin, content: AAH/iVBORw0KGgo=, encoding: base64 }
    - decide:
        id: later
        question: And then?
        choose: [{ when: 'decisions.way == "left"', choice: on }, { choice: back }]
    - run: { command: "echo 6 >> effects.txt; echo six; sleep 0.15; echo half a dozen; chmod +x bin/greet.sh" }
    - name: colour
      ask: { question: Which colour?, options: [{ id: red }, { id: blue }] }
    - say: { text: "It is {{ results.colour.choice }}" }
    - delete: { path: obsolete.txt }
    - run: { command: "echo 10 {{ results.colour.choice }} >> effects.txt" }
`;

/** Small, and with no file in common with the other. */
const NOTE = `
name: note
description: Writes a note
definition_of_done: there is a note
script:
  steps:
    - run: { command: "echo first >> note.txt" }
    - write: { path: second.txt, content: "second\\n" }
    - run: { command: "echo third >> note.txt" }
`;

/** Works on something that does not end by itself. */
const ENDLESS = `
name: endless
description: Waits for somebody to stop it
definition_of_done: never
script:
  steps:
    - run: { command: "echo begun >> begun.txt" }
    - run: { command: "echo waiting; sleep 600" }
`;

/** Has two others change one file each, and both a third one. */
const PARTS = `
name: parts
description: Has its parts done by plans of their own
definition_of_done: both parts are there
script:
  decisions:
    - id: way
      question: Which way?
      choose: [{ when: 'size(guidance) > 0', choice: right }, { choice: left }]
  steps:
    - run: { command: "echo begun {{ decisions.way }} >> parts.txt" }
    - subplan:
        mode: parallel
        plans:
          - { id: one, action: part, arguments: { name: one } }
          - { id: two, action: part, arguments: { name: two } }
    - run: { command: "cat one.txt two.txt >> parts.txt" }
`;
const PART = `
name: part
description: Does one part
definition_of_done: its part is there
arguments: [{ name: name, required: true }]
script:
  steps:
    - run: { command: "echo {{ args.name }} >> {{ args.name }}.txt" }
    - write: { path: last.txt, content: "part {{ args.name }}\\n" }
`;

export const DOCUMENTS = [TEN_STEPS, NOTE, ENDLESS, PART, PARTS] as const;

/** Files of a project and what they hold once each step has had its effect once, in order. */
export type Effects = Readonly<Record<string, string>>;
const TEN_STEPS_EFFECTS: Effects = { "effects.txt": "2\n6\n10 blue\n" };
const NOTE_EFFECTS: Effects = { "note.txt": "first\nthird\n", "second.txt": "second\n" };

/** A user's doings, each of which may be repeated, and what is left of them in the project. */
export interface Story {
  readonly name: string;
  /** What kills or stops the first owners whatever else happens to later ones. */
  readonly first: readonly Kill[];
  /** Answers the plans that it made. `stands` is called where the project is as a whole what it will not stay. */
  readonly tell: (hand: Hand, place: ChaosPlace, stands: () => Promise<void>) => Promise<readonly string[]>;
  /** Undefined: nothing of the project may change. */
  readonly effects: Effects | undefined;
  /** The user changes files while they are being written. */
  readonly contested?: boolean;
}

/** One plan from its start to its being applied. */
export const tenSteps: Story = {
  name: "ten steps",
  first: [],
  effects: TEN_STEPS_EFFECTS,
  async tell(hand) {
    const plan = await hand.begin("ten-steps", "message-ten-steps");
    await hand.answer(plan, "blue");
    await hand.apply(plan);
    return [plan];
  },
};

/** Two plans of one project at once. */
export const twoAtOnce: Story = {
  name: "two at once",
  first: [],
  effects: { ...TEN_STEPS_EFFECTS, ...NOTE_EFFECTS },
  async tell(hand) {
    const first = await hand.begin("ten-steps", "message-ten-steps");
    const second = await hand.begin("note", "message-note");
    await hand.answer(first, "blue");
    await Promise.all([hand.apply(second), hand.apply(first)]);
    return [first, second];
  },
};

/** A plan that starts two others, whose changes do not go together, and is corrected when it has merged them. */
export const parts: Story = {
  name: "parts",
  first: [],
  effects: {
    "parts.txt": "begun right\none\ntwo\n",
    "one.txt": "one\n",
    "two.txt": "two\n",
    "last.txt": "part two\n",
  },
  async tell(hand) {
    const plan = await correctedParts(hand);
    await hand.apply(plan);
    return [plan, ...(await hand.children(plan))];
  },
};

/** The same, which goes back to a checkpoint before it is approved, and is undone by a plan of its own after that. */
export const partsUndone: Story = {
  name: "parts that are undone",
  first: [],
  effects: { "parts.txt": "nothing", "one.txt": "nothing", "two.txt": "nothing", "last.txt": "nothing" },
  async tell(hand, _place, stands) {
    const plan = await correctedParts(hand);
    await hand.asked(plan, "apply");
    await hand.goBack(plan, "step-2", "back-parts");
    await hand.apply(plan);
    await stands();
    const undoing = await hand.undo(plan, "undo-parts");
    await hand.apply(undoing);
    return [plan, ...(await hand.children(plan)), undoing];
  },
};

async function correctedParts(hand: Hand): Promise<string> {
  const plan = await hand.begin("parts", "message-parts");
  const resolved = await hand.resolve(plan, "ours");
  await hand.asked(plan, "apply");
  await hand.correct(plan, "right", "correct-parts");
  await hand.resolve(plan, "theirs", resolved);
  return plan;
}

/** A plan that is cancelled while a command of it runs. */
export const cancelled: Story = {
  name: "cancelled",
  first: [],
  effects: undefined,
  async tell(hand, place) {
    const plan = await hand.begin("endless", "message-endless");
    await hand.until(
      plan,
      ({ steps, state }) => steps[1]?.status === "running" || state === "cancelled",
      "its second step",
    );
    await hand.cancel(plan);
    // What a cancellation still does has no answer that could be waited for.
    const patience = performance.now() + 5000;
    while (place.owner?.alive === true && !place.passed().includes("service.cancel.cleaned")) {
      if (performance.now() > patience) break;
      await pause(50);
    }
    return [plan];
  },
};

/** A plan that is cancelled as soon as it is there. */
export const cancelledAtOnce: Story = {
  ...cancelled,
  name: "cancelled at once",
  async tell(hand) {
    const plan = await hand.begin("endless", "message-endless");
    await hand.cancel(plan);
    return [plan];
  },
};

/** While an apply stands still in the middle, the user changes a file that is its turn next; it takes all back. */
export const contested: Story = {
  ...tenSteps,
  name: "contested",
  contested: true,
  first: [{ at: "workspace.apply.replaced:1:stop" }],
  async tell(hand, place) {
    const plan = await hand.begin("ten-steps", "message-ten-steps");
    await hand.answer(plan, "blue");
    await hand.asked(plan, "apply");
    const path = "src/greeting.txt";
    const text = await place.repository.read(path);
    const applied = hand.apply(plan).catch((error: unknown) => error);
    const { owner } = place;
    for (; owner?.alive === true && !(await owner.stopped()); await pause(20));
    await place.repository.write(path, "Mine!\n");
    owner?.signal("SIGCONT");
    // Their change is gone again before anybody settles what a killed owner left.
    await Promise.race([applied, owner?.ended]);
    await place.repository.write(path, text);
    await applied;
    await hand.apply(plan);
    return [plan];
  },
};
