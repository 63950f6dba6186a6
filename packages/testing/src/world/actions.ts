/** Base64 of bytes that are no text: a NUL, and 0xff. */
export const BINARY = "AAH/iVBORw0KGgo=";

/** Actions of the test project by name; each says in its description what it is for. */
export const ACTIONS = {
  // Everything that a plan can do to files, and the project's own test.
  "full-edit": `
name: full-edit
description: Greets somebody else
definition_of_done: the greeting has changed and the check passes
arguments:
  - { name: who, required: true, description: Whom to greet }
  - { name: times, type: integer, default: 1 }
  - { name: loud, type: boolean, default: false }
script:
  decisions:
    - id: tone
      question: "How is {{ args.who }} greeted?"
      alternatives: [{ id: loud, description: with capitals }, { id: calm, description: as usual }]
      choose:
        - { when: args.loud, choice: loud, confidence: 0.9, rationale: "asked for by {{ args.who }}" }
        - { choice: calm, confidence: 0.8 }
    - id: ending
      parent: tone
      question: What comes at the end?
      choose: [{ when: 'decisions.tone == "loud"', choice: bang }, { choice: dot }]
  steps:
    - edit: { path: src/greeting.txt, find: world, replace: "{{ args.who }}" }
    - name: original
      read: { path: src/farewell.txt }
    - edit: { path: src/farewell.txt, find: Good bye, replace: 'See you, {{ args.who }}' }
    - write: { path: src/new.txt, content: "times: {{ args.times }}\\ntone: {{ decisions.tone }}\\n" }
    - delete: { path: obsolete.txt }
    - rename: { from: docs/old-name.md, to: docs/new-name.md }
    - chmod: { path: bin/greet.sh, mode: "755" }
    - write: { path: assets/logo.bin, content: ${BINARY}, encoding: base64 }
    - when: args.loud
      write: { path: LOUD, content: "!\\n" }
    - name: check
      run: { command: sh check.sh }
    - say: { text: "The check said {{ results.check.stdout }}" }
`,
  // The least that gives a changeset.
  touch: `
name: touch
description: Writes one file
definition_of_done: the file is there
arguments:
  - { name: path, default: touched.txt }
  - { name: content, default: "touched\\n" }
script:
  steps:
    - write: { path: "{{ args.path }}", content: "{{ args.content }}" }
`,
  // Its commands have to be isolated, which the suites' host cannot do.
  demanding: `
name: demanding
description: Runs nowhere but isolated
definition_of_done: it has run
sandbox: { isolation: full, network: true, limits: { memory: 512 } }
script:
  steps:
    - run: { command: echo isolated }
`,
  ask: `
name: ask
description: Asks for a colour and a word
definition_of_done: the answers are written down
script:
  steps:
    - name: colour
      ask: { question: Which colour?, options: [{ id: red, label: Red }, { id: blue }] }
    - name: word
      ask: { question: Which word? }
    - write: { path: answers.txt, content: "{{ results.colour.choice }} {{ results.word.text }}\\n" }
`,
  // The second step fails at the first attempt and succeeds at the second; each run of a step leaves a mark.
  flaky: `
name: flaky
description: Fails once
definition_of_done: every step has run
script:
  steps:
    - run: { command: echo first >> marks.txt }
    - run: { command: 'echo second >> marks.txt; echo half > half.txt; exit {{ attempt == 1 ? 1 : 0 }}' }
    - run: { command: echo third >> marks.txt }
`,
  "flaky-fail": `
name: flaky-fail
description: Says that it fails, at the first attempt only
definition_of_done: there is a file
script:
  steps:
    - write: { path: before.txt, content: "before\\n" }
    - when: attempt == 1
      fail: { message: not the first time, retryable: true }
    - write: { path: after.txt, content: "after\\n" }
`,
  broken: `
name: broken
description: Fails for good
definition_of_done: never
script:
  steps:
    - write: { path: never.txt, content: "never\\n" }
    - fail: { message: "this cannot work" }
`,
  idle: `
name: idle
description: Changes nothing
definition_of_done: nothing has changed
script:
  steps:
    - say: { text: nothing to do }
`,
  wait: `
name: wait
description: Waits for an hour
definition_of_done: an hour has passed
script:
  steps:
    - write: { path: waited.txt, content: "waited\\n" }
    - wait: { seconds: 3600 }
`,
  run: `
name: run
description: Runs a command
definition_of_done: it has ended
arguments: [{ name: command, required: true }]
script:
  steps:
    - run: { command: "{{ args.command }}" }
`,
  chatty: `
name: chatty
description: A command that says much, bit by bit
definition_of_done: all is said
script:
  steps:
    - run: { command: "for i in 1 2 3 4; do echo line $i; sleep 0.08; done" }
`,
  unsure: `
name: unsure
description: Is not confident
definition_of_done: one file more
script:
  decisions:
    - { id: way, question: Which way?, choose: [{ choice: left, confidence: 0.5 }] }
  steps:
    - write: { path: unsure.txt, content: "unsure\\n" }
`,
  retired: `
name: retired
description: No longer in use
definition_of_done: never
state: archived
script: { steps: [{ say: { text: hello } }] }
`,
} as const;

export type ActionName = keyof typeof ACTIONS;
