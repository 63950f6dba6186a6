import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow, Flags, PositionalSpec } from "../command/command-row.ts";
import { FILE, PAGE, PLAN } from "./reused-specs.ts";

const DECISION: PositionalSpec = {
  name: "DECISION",
  summary: "a decision's id, a part of it, or the name in its script",
};
const SELECTION = {
  only: { type: "list", value: "GLOB", summary: "only these paths; again for more, src means all in it" },
  exclude: { type: "list", value: "GLOB", summary: "all but these paths; again for more" },
  rebase: { type: "boolean", summary: "merge with what changed in the project, where it does not overlap" },
} as const satisfies Flags;
const FOLLOW = {
  "no-wait": { type: "boolean", summary: "start it and return at once" },
  "detailed-exitcode": { type: "boolean", summary: "10 instead of 0 when there are changes" },
  stream: {
    type: "boolean",
    summary: "with -o json: each event as a line while it comes, the state it stops in last",
  },
} as const satisfies Flags;

export const planRows = {
  "_cleveragents/plan/use": {
    path: ["plan", "use"],
    summary: "Make a plan from an action.",
    details:
      "The plan is for the project that --project names, else for the one that the current folder lies in, else for the\n" +
      "only one that is registered.\n" +
      "Nothing is followed; the answer says how to go on.",
    positionals: [{ name: "ACTION", summary: "the action's name; agents action list shows them" }],
    flags: {
      arg: {
        type: "list",
        value: "K=V",
        summary: "an argument of the action; again for more, or for a list",
      },
      project: {
        type: "string",
        value: "P",
        summary: "a registered project",
        default: "that of this folder",
      },
      "automation-profile": { type: "string", value: "P", summary: "how much goes on without asking" },
      profile: { type: "string", value: "P", summary: "the same, shorter" },
      budget: {
        type: "list",
        value: "K=N",
        summary: "what it may use: tool_calls, cost_usd, tokens or seconds; again for more",
      },
      validation: {
        type: "list",
        value: "V",
        summary: "a registered validation that it is checked by; again for more",
      },
      invariant: { type: "list", value: "TEXT", summary: "what it keeps to, in words; again for more" },
      "require-isolation": { type: "boolean", summary: "refuse where its commands cannot be isolated" },
      isolation: { type: "string", value: "LEVEL", summary: "refuse less than this: namespace or full" },
      environment: {
        type: "string",
        value: "E",
        summary: "where its commands run: host, devcontainer or devcontainer:NAME",
      },
      session: { type: "string", value: "ID", summary: "the session that the plan belongs to" },
    },
    examples: [
      { command: "agents plan use local/fix-tests" },
      { command: "agents plan use local/rename --arg from=foo --arg to=bar", comment: "with arguments" },
      { command: "agents plan use local/fix-tests --budget tool_calls=50 --budget seconds=600" },
      { command: "id=$(agents plan use local/fix-tests -o name)", comment: "in a script" },
    ],
    seeAlso: ["plan execute", "action list"],
    load: () => import("../commands/plan-use.ts"),
  },
  "_cleveragents/plan/create": {
    path: ["plan", "create"],
    summary: "Make a plan of steps in a file, without an action.",
    details:
      "The file holds name, description and steps: { id, type, action, params, when }. Types are command and tool;\n" +
      "what nobody can carry out is refused, and no plan is made. An id of your own makes it safe to repeat.",
    positionals: [FILE],
    flags: {
      id: {
        type: "string",
        value: "ID",
        summary: "an id of your own, which plan commands take from then on",
      },
      project: {
        type: "string",
        value: "P",
        summary: "a registered project",
        default: "that of this folder",
      },
      "automation-profile": { type: "string", value: "P", summary: "how much goes on without asking" },
      profile: { type: "string", value: "P", summary: "the same, shorter" },
      session: { type: "string", value: "ID", summary: "the session that the plan belongs to" },
    },
    examples: [
      { command: "agents plan create release.yaml" },
      { command: "agents plan create release.yaml --id release-7", comment: "once, however often" },
      { command: "agents plan create - --profile trusted", comment: "from stdin" },
    ],
    seeAlso: ["plan use", "plan execute"],
    load: () => import("../commands/plan-create.ts"),
  },
  "_cleveragents/plan/execute": {
    path: ["plan", "execute"],
    summary: "Let a plan go on until it needs you again, and watch it.",
    details:
      "Progress goes to stderr, the state it stops in to stdout. On a terminal what the plan asks is asked there and\n" +
      "then; Enter leaves it open. Ctrl-C detaches and the plan goes on; twice within two seconds cancels the plan.",
    positionals: [PLAN],
    flags: {
      ...FOLLOW,
      "max-time": {
        type: "number",
        value: "SECONDS",
        summary: "stop what is not done by then; it can be tried again",
      },
    },
    examples: [
      { command: "agents plan execute 7K3M9QZX" },
      { command: "agents plan execute 7K3M9QZX --no-wait", comment: "start only" },
      {
        command: "agents plan execute 7K3M9QZX -o json 2>/dev/null",
        comment: "in a script: exit 0, 11 or 12",
      },
    ],
    seeAlso: ["plan watch", "plan diff", "plan apply", "help exit-codes"],
    load: () => import("../commands/plan-execute.ts"),
  },
  "_cleveragents/plan/status": {
    path: ["plan", "status"],
    summary: "Where a plan stands and what it waits for.",
    positionals: [PLAN],
    examples: [
      { command: "agents plan status 7K3M9QZX" },
      { command: "agents plan status 7K3M9QZX -o json" },
    ],
    seeAlso: ["plan watch", "plan list"],
    load: () => import("../commands/plan-status.ts"),
  },
  "_cleveragents/plan/diff": {
    path: ["plan", "diff"],
    summary: "The changes that a plan offers, as a patch.",
    details:
      "stdout holds the patch alone, as git apply takes it; the digest is on stderr. On a terminal a long patch goes\n" +
      "through a pager: core.pager of the configuration, else GIT_PAGER, PAGER, or less.",
    positionals: [PLAN],
    flags: {
      stat: { type: "boolean", summary: "files and numbers of lines instead of the patch" },
      "name-only": { type: "boolean", summary: "paths only" },
      tool: {
        type: "string",
        value: "CMD",
        summary: "open two folders with it: the changed files before and after",
      },
      "no-pager": { type: "boolean", summary: "never a pager" },
      "exit-code": { type: "boolean", summary: "10 instead of 0 when there are changes" },
      ...SELECTION,
      "left-out": { type: "boolean", summary: "what was left out when a part was applied" },
    },
    examples: [
      { command: "agents plan diff 7K3M9QZX" },
      { command: "agents plan diff 7K3M9QZX --stat" },
      {
        command: 'agents plan diff 7K3M9QZX --tool "diff -r"',
        comment: "or meld, or another of your tools",
      },
      {
        command: "agents plan diff 7K3M9QZX 2>/dev/null | git apply --check",
        comment: "would it apply here?",
      },
    ],
    seeAlso: ["plan apply", "plan artifacts"],
    load: () => import("../commands/plan-diff.ts"),
  },
  "_cleveragents/plan/apply": {
    path: ["plan", "apply"],
    summary: "Write a plan's changes into the project.",
    details:
      "Shows what would be written and asks to type yes. Exactly the changes that were shown are applied;\n" +
      "if files changed meanwhile nothing is written (exit code 13), unless --rebase can merge them.\n" +
      "A part of the changes has a digest of its own, and ends the plan; what is left out stays a patch.",
    positionals: [PLAN],
    flags: {
      ...SELECTION,
      "dry-run": { type: "boolean", summary: "verify everything, write nothing, say what would happen" },
      branch: { type: "string", value: "NAME", summary: "commit to this new branch, leave the files alone" },
      digest: {
        type: "string",
        value: "D",
        summary: "apply without asking, if the changes have this digest",
      },
    },
    examples: [
      { command: "agents plan apply 7K3M9QZX" },
      { command: "agents plan apply 7K3M9QZX --yes", comment: "without asking" },
      { command: "agents plan apply 7K3M9QZX --only src --exclude '**/*.md'", comment: "a part" },
      {
        command: "agents plan apply 7K3M9QZX --digest sha256:7be1…",
        comment: "what was reviewed, nothing else",
      },
    ],
    seeAlso: ["plan diff", "plan rollback", "plan reject", "help exit-codes"],
    load: () => import("../commands/plan-apply.ts"),
  },
  "_cleveragents/plan/rollback": {
    path: ["plan", "rollback"],
    summary: "Undo an applied plan, or take another one back to a checkpoint.",
    details:
      "An applied plan is undone by a new one, which holds the exact inverse and waits to be applied. Applied\n" +
      "changes can be undone for 30 days; files that changed since are refused, as with every apply.\n" +
      "A plan that is not applied goes back to a checkpoint, with its decisions, and waits to go on from there.",
    positionals: [
      PLAN,
      {
        name: "CHECKPOINT",
        summary: "start or step-N, of a plan that is not applied; shown when absent",
        optional: true,
      },
    ],
    flags: { "dry-run": { type: "boolean", summary: "say what would be undone, and change nothing" } },
    examples: [
      { command: "agents plan rollback 7K3M9QZX" },
      { command: "agents plan rollback 7K3M9QZX step-2", comment: "before it is applied" },
      { command: "agents plan rollback 7K3M9QZX -o name", comment: "the id of the plan to apply" },
    ],
    seeAlso: ["plan apply", "plan diff"],
    load: () => import("../commands/plan-rollback.ts"),
  },
  "_cleveragents/plan/revert": {
    path: ["plan", "revert"],
    summary: "Take a plan that waits back to the beginning of a phase.",
    details:
      "A new attempt begins on a fresh copy of the project; what was decided stays in the tree as superseded.\n" +
      "The reason is guidance: a plan that looks at it can decide otherwise this time.",
    positionals: [PLAN],
    flags: {
      "to-phase": {
        type: "string",
        value: "P",
        choices: ["strategize", "execute"],
        default: "strategize",
        summary: "strategize or execute",
      },
      reason: { type: "string", value: "T", summary: "what is to be different this time" },
    },
    examples: [
      { command: "agents plan revert 7K3M9QZX" },
      { command: 'agents plan revert 7K3M9QZX --to-phase execute --reason "keep the old name"' },
    ],
    seeAlso: ["plan execute", "plan rollback", "plan cancel"],
    load: () => import("../commands/plan-revert.ts"),
  },
  "_cleveragents/plan/approve": {
    path: ["plan", "approve"],
    summary: "Answer what a plan asks: yes, an option, or a text.",
    positionals: [PLAN],
    flags: {
      option: { type: "string", value: "X", summary: "the id of the option to take" },
      text: { type: "string", value: "T", summary: "an answer in words" },
      request: { type: "string", value: "R", summary: "the question's id", default: "the one that is open" },
      digest: {
        type: "string",
        value: "D",
        summary: "for changes to be applied: the digest that you have seen",
      },
    },
    examples: [
      { command: "agents plan approve 7K3M9QZX" },
      { command: "agents plan approve 7K3M9QZX --option extract-module" },
      { command: 'agents plan approve 7K3M9QZX --text "keep the old name as an alias"' },
    ],
    seeAlso: ["plan reject", "plan apply", "plan status"],
    load: () => import("../commands/plan-approve.ts"),
  },
  "_cleveragents/plan/reject": {
    path: ["plan", "reject"],
    summary: "Answer no to what a plan asks.",
    positionals: [PLAN],
    flags: {
      reason: { type: "string", value: "T", summary: "why; the plan's log keeps it" },
      request: { type: "string", value: "R", summary: "the question's id", default: "the one that is open" },
    },
    examples: [
      { command: "agents plan reject 7K3M9QZX" },
      { command: 'agents plan reject 7K3M9QZX --reason "touches generated files"' },
    ],
    seeAlso: ["plan approve", "plan cancel"],
    load: () => import("../commands/plan-reject.ts"),
  },
  "_cleveragents/plan/cancel": {
    path: ["plan", "cancel"],
    summary: "Stop a plan for good; nothing is applied.",
    positionals: [PLAN],
    flags: { reason: { type: "string", value: "T", summary: "why; the plan's log keeps it" } },
    examples: [
      { command: "agents plan cancel 7K3M9QZX" },
      { command: 'agents plan cancel 7K3M9QZX --reason "no longer needed"' },
    ],
    seeAlso: ["plan reject"],
    load: () => import("../commands/plan-cancel.ts"),
  },
  "_cleveragents/plan/artifacts": {
    path: ["plan", "artifacts"],
    summary: "What a plan has produced, file by file, and long outputs of its commands.",
    positionals: [PLAN],
    flags: {
      artifact: { type: "string", value: "ID", summary: "print the whole output that is kept as this" },
    },
    examples: [
      { command: "agents plan artifacts 7K3M9QZX" },
      { command: "agents plan artifacts 7K3M9QZX --artifact step-2-output" },
      { command: "agents plan artifacts 7K3M9QZX -o name" },
    ],
    seeAlso: ["plan diff"],
    load: () => import("../commands/plan-artifacts.ts"),
  },
  "_cleveragents/plan/tree": {
    path: ["plan", "tree"],
    summary: "The decisions of a plan as a tree.",
    positionals: [PLAN],
    flags: { "show-superseded": { type: "boolean", summary: "also decisions that were replaced" } },
    examples: [
      { command: "agents plan tree 7K3M9QZX" },
      { command: "agents plan tree 7K3M9QZX --show-superseded" },
    ],
    seeAlso: ["plan explain", "plan status"],
    load: () => import("../commands/plan-tree.ts"),
  },
  "_cleveragents/plan/explain": {
    path: ["plan", "explain"],
    summary: "Why a plan decided something, and what came of it.",
    details:
      "Tells question, alternatives, choice and reason, what was known, and the steps and changes that hang on it.\n" +
      "Without a decision: what the plan was asked to do, and what hangs on nothing else.",
    positionals: [PLAN, { ...DECISION, optional: true }],
    examples: [
      { command: "agents plan explain 7K3M9QZX" },
      { command: "agents plan explain 7K3M9QZX wording", comment: "by the name in its script" },
    ],
    seeAlso: ["plan tree", "plan diff"],
    load: () => import("../commands/plan-explain.ts"),
  },
  "_cleveragents/plan/prompt": {
    path: ["plan", "prompt"],
    summary: "Give a plan guidance, which its next steps take into account.",
    details:
      "A plan that works takes it before its next step, one that waits when it goes on, and one that has stopped\n" +
      "at an error tries again with it. What is decided already stays decided; plan correct changes that.",
    positionals: [PLAN, { name: "TEXT", summary: "what it is to know; - reads it from stdin" }],
    flags: {
      decision: {
        type: "string",
        value: "D",
        summary: "the decision that it is about",
        default: "the whole plan",
      },
    },
    examples: [
      { command: 'agents plan prompt 7K3M9QZX "keep the public names"' },
      { command: "agents plan prompt 7K3M9QZX --decision wording formal", comment: "about one decision" },
    ],
    seeAlso: ["plan tree", "plan approve"],
    load: () => import("../commands/plan-prompt.ts"),
  },
  "_cleveragents/plan/correct": {
    path: ["plan", "correct"],
    summary: "Take a plan back before a decision, and let it decide anew, or add work to it.",
    details:
      "The decision and all that follows from it is superseded, the plan's copy goes back to what it was before, and\n" +
      "the plan goes on from there with your guidance. Shows what would be undone and asks to type yes.\n" +
      "With --mode append nothing is undone: another plan begins on what there is, and its changes become part of\n" +
      "this one's. Of an applied plan it is a new plan, that refers to it.",
    positionals: [PLAN, { ...DECISION, optional: true }],
    flags: {
      guidance: { type: "string", value: "TEXT", summary: "what is to be different; - reads it from stdin" },
      mode: {
        type: "string",
        value: "M",
        choices: ["revert", "append"],
        summary: "revert decides anew, append adds work below",
        default: "revert",
      },
      "with-action": {
        type: "string",
        value: "ACTION",
        summary: "with append: what does the work",
        default: "the plan's own action",
      },
      arg: { type: "list", value: "K=V", summary: "an argument of that action; again for more" },
      "dry-run": { type: "boolean", summary: "say what would be undone, and change nothing" },
    },
    examples: [
      { command: "agents plan correct 7K3M9QZX wording --dry-run" },
      {
        command: 'agents plan correct 7K3M9QZX --mode append --guidance "with tests" --with-action tests',
        comment: "undoes nothing",
      },
      { command: 'agents plan correct 7K3M9QZX wording --guidance "be formal"' },
      {
        command: 'agents plan correct 7K3M9QZX --guidance "no new files" --yes',
        comment: "the newest decision",
      },
    ],
    seeAlso: ["plan explain", "plan tree", "plan prompt", "plan rollback"],
    load: () => import("../commands/plan-correct.ts"),
  },
  "_cleveragents/plan/list": {
    path: ["plan", "list"],
    summary: "Your plans, newest change first.",
    flags: {
      phase: {
        type: "string",
        value: "P",
        choices: ["strategize", "execute", "apply"],
        summary: "strategize, execute or apply",
      },
      state: {
        type: "string",
        value: "S",
        choices: [
          "queued",
          "running",
          "complete",
          "errored",
          "constrained",
          "applied",
          "cancelled",
          "rejected",
          "failed",
        ],
        summary: "such as running, complete, errored, applied",
      },
      project: { type: "string", value: "P", summary: "a registered project" },
      action: { type: "string", value: "A", summary: "plans made from this action" },
      parent: {
        type: "string",
        value: "ID",
        summary: "plans that this plan has started; its id, or a part of it",
      },
      ...PAGE,
    },
    examples: [
      { command: "agents plan list" },
      { command: "agents plan list --state running" },
      { command: "agents plan list --project local/app -o name", comment: "ids only" },
    ],
    seeAlso: ["plan status"],
    load: () => import("../commands/plan-list.ts"),
  },
  SubscribeToTask: {
    path: ["plan", "watch"],
    summary: "Watch a plan from its beginning, without starting it.",
    details:
      "Ends when the plan waits for you or has ended; finished plans are told again. Ctrl-C only stops\n" +
      "watching; a second Ctrl-C within two seconds cancels the plan.",
    positionals: [PLAN],
    flags: {
      "until-done": { type: "boolean", summary: "go on watching while the plan waits for an answer" },
      "detailed-exitcode": FOLLOW["detailed-exitcode"],
      stream: FOLLOW.stream,
    },
    examples: [
      { command: "agents plan watch 7K3M9QZX" },
      { command: "agents plan watch 7K3M9QZX --until-done", comment: "while another terminal answers" },
    ],
    seeAlso: ["plan execute", "plan status"],
    load: () => import("../commands/plan-watch.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
