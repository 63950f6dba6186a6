import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow, FlagSpec, Flags, PositionalSpec } from "./command/command-row.ts";

const PLAN: PositionalSpec = {
  name: "ID",
  summary: "the plan's id, or at least six characters that begin or end it",
};
const DECISION: PositionalSpec = {
  name: "DECISION",
  summary: "a decision's id, a part of it, or the name in its script",
};
const NAME: PositionalSpec = { name: "NAME", summary: "a registered name, such as local/fix-tests" };
const FILE: PositionalSpec = { name: "FILE", summary: "a YAML or JSON file; - reads it from stdin" };

const PAGE = {
  "page-size": { type: "number", value: "N", summary: "entries of one page, at most 500" },
  "page-token": { type: "string", value: "T", summary: "the page that a former answer named" },
} as const satisfies Flags;
const REGISTRY_PAGE = {
  namespace: { type: "string", value: "NS", summary: "only names of this namespace" },
  ...PAGE,
} as const satisfies Flags;
const UPDATE: FlagSpec = { type: "boolean", summary: "replace what has this name" };
const SELECTION = {
  only: { type: "list", value: "GLOB", summary: "only these paths; again for more, src means all in it" },
  exclude: { type: "list", value: "GLOB", summary: "all but these paths; again for more" },
  rebase: { type: "boolean", summary: "merge with what changed in the project, where it does not overlap" },
} as const satisfies Flags;
const FOLLOW = {
  "no-wait": { type: "boolean", summary: "start it and return at once" },
  "detailed-exitcode": { type: "boolean", summary: "10 instead of 0 when there are changes" },
} as const satisfies Flags;

/**
 * The commands, one row per method; `null` means that a method has no command, on purpose. Help, parsing and the
 * closest match of a mistyped word come from here; the code of a command is loaded when it runs.
 */
export const commandTable = {
  "_cleveragents/plan/use": {
    path: ["plan", "use"],
    summary: "Make a plan from an action.",
    details:
      "The plan is for the project that the current folder lies in, unless --project names another.\n" +
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
    load: () => import("./commands/plan-use.ts"),
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
    load: () => import("./commands/plan-create.ts"),
  },
  "_cleveragents/plan/execute": {
    path: ["plan", "execute"],
    summary: "Let a plan go on until it needs you again, and watch it.",
    details:
      "Progress goes to stderr, the state it stops in to stdout. Ctrl-C detaches and the plan goes on;\n" +
      "a second Ctrl-C within two seconds cancels the plan.",
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
    load: () => import("./commands/plan-execute.ts"),
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
    load: () => import("./commands/plan-status.ts"),
  },
  "_cleveragents/plan/diff": {
    path: ["plan", "diff"],
    summary: "The changes that a plan offers, as a patch.",
    details: "stdout holds the patch alone, as git apply takes it; the digest is on stderr.",
    positionals: [PLAN],
    flags: {
      stat: { type: "boolean", summary: "files and numbers of lines instead of the patch" },
      "name-only": { type: "boolean", summary: "paths only" },
      "exit-code": { type: "boolean", summary: "10 instead of 0 when there are changes" },
      ...SELECTION,
      "left-out": { type: "boolean", summary: "what was left out when a part was applied" },
    },
    examples: [
      { command: "agents plan diff 7K3M9QZX" },
      { command: "agents plan diff 7K3M9QZX --stat" },
      {
        command: "agents plan diff 7K3M9QZX 2>/dev/null | git apply --check",
        comment: "would it apply here?",
      },
    ],
    seeAlso: ["plan apply", "plan artifacts"],
    load: () => import("./commands/plan-diff.ts"),
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
    load: () => import("./commands/plan-apply.ts"),
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
    load: () => import("./commands/plan-rollback.ts"),
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
    load: () => import("./commands/plan-revert.ts"),
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
    load: () => import("./commands/plan-approve.ts"),
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
    load: () => import("./commands/plan-reject.ts"),
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
    load: () => import("./commands/plan-cancel.ts"),
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
    load: () => import("./commands/plan-artifacts.ts"),
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
    load: () => import("./commands/plan-tree.ts"),
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
    load: () => import("./commands/plan-explain.ts"),
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
    load: () => import("./commands/plan-prompt.ts"),
  },
  "_cleveragents/plan/correct": {
    path: ["plan", "correct"],
    summary: "Take a plan back before a decision, and let it decide anew.",
    details:
      "The decision and all that follows from it is superseded, the plan's copy goes back to what it was before, and\n" +
      "the plan goes on from there with your guidance. Shows what would be undone and asks to type yes.",
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
      "dry-run": { type: "boolean", summary: "say what would be undone, and change nothing" },
    },
    examples: [
      { command: "agents plan correct 7K3M9QZX wording --dry-run" },
      { command: 'agents plan correct 7K3M9QZX wording --guidance "be formal"' },
      {
        command: 'agents plan correct 7K3M9QZX --guidance "no new files" --yes',
        comment: "the newest decision",
      },
    ],
    seeAlso: ["plan explain", "plan tree", "plan prompt", "plan rollback"],
    load: () => import("./commands/plan-correct.ts"),
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
      ...PAGE,
    },
    examples: [
      { command: "agents plan list" },
      { command: "agents plan list --state running" },
      { command: "agents plan list --project local/app -o name", comment: "ids only" },
    ],
    seeAlso: ["plan status"],
    load: () => import("./commands/plan-list.ts"),
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
    },
    examples: [
      { command: "agents plan watch 7K3M9QZX" },
      { command: "agents plan watch 7K3M9QZX --until-done", comment: "while another terminal answers" },
    ],
    seeAlso: ["plan execute", "plan status"],
    load: () => import("./commands/plan-watch.ts"),
  },
  "_cleveragents/sandbox/list": {
    path: ["sandbox", "list"],
    summary: "What your plans keep on the agent's disk.",
    flags: PAGE,
    examples: [{ command: "agents sandbox list" }, { command: "agents sandbox list -o json" }],
    seeAlso: ["sandbox gc"],
    load: () => import("./commands/sandbox-list.ts"),
  },
  "_cleveragents/sandbox/gc": {
    path: ["sandbox", "gc"],
    summary: "Remove what is kept for plans that are over.",
    details:
      "Work that was not applied goes only where its plan is named. It asks first, unless --yes or --force is given.",
    positionals: [{ ...PLAN, optional: true }],
    flags: {
      "dry-run": { type: "boolean", summary: "say what would go, and remove nothing" },
      force: { type: "boolean", summary: "do not ask; the same as --yes" },
      "older-than": { type: "number", value: "HOURS", summary: "only of plans that ended so long ago" },
    },
    examples: [
      { command: "agents sandbox gc --dry-run" },
      { command: "agents sandbox gc --older-than 24 --yes" },
      { command: "agents sandbox gc 01J9K2TQ4M8R3V5W7X9Y0Z1A2B", comment: "also what was not applied" },
    ],
    seeAlso: ["sandbox list", "plan cancel"],
    load: () => import("./commands/sandbox-gc.ts"),
  },
  "session.create": {
    path: ["a2a", "session", "create"],
    aliases: [["session", "create"]],
    summary: "Open a session.",
    flags: {
      actor: { type: "string", value: "A", summary: "the actor that messages of the session go to" },
      "session-id": {
        type: "string",
        value: "S",
        summary: "an id of your own; the same one again is the same session",
      },
      name: { type: "string", value: "N", summary: "what lists call it" },
    },
    examples: [
      { command: "agents session create --actor local/helper" },
      { command: "agents session create --session-id nightly", comment: "the same session every time" },
    ],
    seeAlso: ["session list", "session close"],
    load: () => import("./commands/session-create.ts"),
  },
  "_cleveragents/session/list": {
    path: ["a2a", "session", "list"],
    aliases: [["session", "list"]],
    summary: "Your sessions, newest first.",
    flags: PAGE,
    examples: [{ command: "agents session list" }, { command: "agents session list -o json" }],
    seeAlso: ["session create"],
    load: () => import("./commands/session-list.ts"),
  },
  "session.close": {
    path: ["a2a", "session", "close"],
    aliases: [["session", "close"]],
    summary: "Close a session.",
    positionals: [{ name: "ID", summary: "the session's id" }],
    examples: [{ command: "agents session close nightly" }],
    seeAlso: ["session list"],
    load: () => import("./commands/session-close.ts"),
  },
  "_cleveragents/registry/action/list": {
    path: ["action", "list"],
    summary: "The actions that plans can be made from.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents action list" },
      { command: "agents action list --namespace local -o name" },
    ],
    seeAlso: ["action show", "plan use"],
    load: () => import("./commands/action-list.ts"),
  },
  "_cleveragents/registry/action/show": {
    path: ["action", "show"],
    summary: "One action, whole.",
    positionals: [NAME],
    examples: [
      { command: "agents action show local/fix-tests" },
      { command: "agents action show local/fix-tests -o json" },
    ],
    seeAlso: ["action list"],
    load: () => import("./commands/action-show.ts"),
  },
  "_cleveragents/registry/action/add": {
    path: ["action", "add"],
    summary: "Register an action from its file.",
    positionals: [FILE],
    flags: { update: UPDATE },
    examples: [
      { command: "agents action add fix-tests.yaml" },
      { command: "agents action add fix-tests.yaml --update", comment: "after an edit" },
      { command: "agents action add - < fix-tests.yaml", comment: "from stdin" },
    ],
    seeAlso: ["action show", "plan use"],
    load: () => import("./commands/action-add.ts"),
  },
  "_cleveragents/registry/project/add": {
    path: ["project", "create"],
    aliases: [["project", "add"]],
    summary: "Register a folder as a project.",
    positionals: [{ name: "NAME", summary: "the project's name, such as local/app" }],
    flags: {
      path: { type: "string", value: "DIR", default: "the current folder", summary: "the project's folder" },
      description: { type: "string", value: "T", summary: "what it is" },
      "automation-profile": { type: "string", value: "P", summary: "the profile of its plans" },
    },
    examples: [
      { command: "agents project create local/app --path ." },
      { command: 'agents project create local/site --path ~/site --description "the web site"' },
    ],
    seeAlso: ["project list", "plan use"],
    load: () => import("./commands/project-create.ts"),
  },
  "_cleveragents/registry/project/list": {
    path: ["project", "list"],
    summary: "The registered projects.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents project list" }, { command: "agents project list -o name" }],
    seeAlso: ["project create", "project show"],
    load: () => import("./commands/project-list.ts"),
  },
  "_cleveragents/registry/project/show": {
    path: ["project", "show"],
    summary: "One project and the state of its folder.",
    positionals: [NAME],
    examples: [{ command: "agents project show local/app" }],
    seeAlso: ["project list"],
    load: () => import("./commands/project-show.ts"),
  },
  "_cleveragents/registry/actor/add": {
    path: ["actor", "add"],
    summary: "Register a script actor from its file.",
    positionals: [FILE],
    flags: { update: UPDATE },
    examples: [
      { command: "agents actor add fixer.yaml" },
      { command: "agents actor add fixer.yaml --update" },
    ],
    seeAlso: ["actor list", "action add"],
    load: () => import("./commands/actor-add.ts"),
  },
  "_cleveragents/registry/actor/list": {
    path: ["actor", "list"],
    summary: "The actors that plans can use.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents actor list" }, { command: "agents actor list -o name" }],
    seeAlso: ["actor show"],
    load: () => import("./commands/actor-list.ts"),
  },
  "_cleveragents/registry/actor/show": {
    path: ["actor", "show"],
    summary: "One actor, whole.",
    positionals: [NAME],
    examples: [{ command: "agents actor show local/fixer" }],
    seeAlso: ["actor list"],
    load: () => import("./commands/actor-show.ts"),
  },
  "_cleveragents/registry/tool/list": {
    path: ["tool", "list"],
    summary: "The tools that plans can use.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents tool list" }, { command: "agents tool list -o json" }],
    seeAlso: ["actor list"],
    load: () => import("./commands/tool-list.ts"),
  },
  "_cleveragents/registry/validation/list": {
    path: ["validation", "list"],
    summary: "The validations: what plans can be checked by.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents validation list" },
      { command: "agents validation list --namespace team -o name" },
    ],
    seeAlso: ["validation show", "validation attach"],
    load: () => import("./commands/validation-list.ts"),
  },
  "_cleveragents/registry/validation/show": {
    path: ["validation", "show"],
    summary: "One validation, and what it is attached to.",
    positionals: [NAME],
    examples: [{ command: "agents validation show local/tests" }],
    seeAlso: ["validation list"],
    load: () => import("./commands/validation-show.ts"),
  },
  "_cleveragents/registry/validation/add": {
    path: ["validation", "add"],
    summary: "Register a validation from its file.",
    positionals: [FILE],
    flags: { update: UPDATE },
    examples: [
      { command: "agents validation add tests.yaml" },
      {
        command: "agents validation add tests.yaml --update",
        comment: "after an edit; plans keep what they have",
      },
    ],
    seeAlso: ["validation attach", "validation show"],
    load: () => import("./commands/validation-add.ts"),
  },
  "_cleveragents/registry/validation/remove": {
    path: ["validation", "remove"],
    summary: "Forget a validation that nothing uses.",
    positionals: [NAME],
    examples: [{ command: "agents validation remove local/tests" }],
    seeAlso: ["validation detach", "validation list"],
    load: () => import("./commands/validation-remove.ts"),
  },
  "_cleveragents/registry/validation/attach": {
    path: ["validation", "attach"],
    summary: "Check all new plans of a project or an action.",
    details: "For one plan alone: agents plan use ACTION --validation NAME.",
    positionals: [NAME],
    flags: {
      project: { type: "string", value: "P", summary: "plans of this project" },
      action: { type: "string", value: "A", summary: "plans made from this action" },
      mode: {
        type: "string",
        value: "M",
        choices: ["required", "informational"],
        summary: "required or informational, in place of the validation's own",
      },
    },
    examples: [
      { command: "agents validation attach local/tests --project local/app" },
      { command: "agents validation attach local/lint --action local/fix --mode informational" },
    ],
    seeAlso: ["validation detach", "validation show"],
    load: () => import("./commands/validation-attach.ts"),
  },
  "_cleveragents/registry/validation/detach": {
    path: ["validation", "detach"],
    summary: "End an attachment.",
    positionals: [{ name: "ID", summary: "the attachment's id; agents validation show lists them" }],
    examples: [{ command: "agents validation detach att_01J9K2TQ4M8R3V5W7X9Y0Z1A2B" }],
    seeAlso: ["validation attach", "validation show"],
    load: () => import("./commands/validation-detach.ts"),
  },
  "_cleveragents/invariant/list": {
    path: ["invariant", "list"],
    summary: "The registered invariants, or those that hold for a plan.",
    flags: {
      global: { type: "boolean", summary: "those of everybody" },
      project: { type: "string", value: "P", summary: "those of a project" },
      action: { type: "string", value: "A", summary: "those registered for an action" },
      plan: { type: "string", value: "ID", summary: "those registered for a plan" },
      effective: { type: "boolean", summary: "with --plan: all that hold for it, and what they override" },
      ...PAGE,
    },
    examples: [
      { command: "agents invariant list" },
      { command: "agents invariant list --plan 01J9K2TQ4M8R3V5W7X9Y0Z1A2B --effective" },
    ],
    seeAlso: ["invariant add"],
    load: () => import("./commands/invariant-list.ts"),
  },
  "_cleveragents/invariant/add": {
    path: ["invariant", "add"],
    summary: "Register what plans have to keep to, one invariant for each target.",
    details:
      "Of several about the same (one --name, or one text) the narrowest holds: plan, action, project, global; a\n" +
      "non-overridable global one before all. Without a way to check it, it is for whoever reviews.",
    positionals: [{ name: "TEXT", summary: "what has to hold, in words" }],
    flags: {
      global: { type: "boolean", summary: "for everybody" },
      project: { type: "string", value: "P,…", summary: "for plans of these projects" },
      action: { type: "string", value: "A,…", summary: "for plans of these actions" },
      plan: { type: "string", value: "ID,…", summary: "for these plans" },
      name: { type: "string", value: "N", summary: "what it is about; the same name overrides" },
      "non-overridable": { type: "boolean", summary: "with --global: nobody narrower says otherwise" },
      check: {
        type: "string",
        value: "CEL",
        summary: "an expression over changes and paths that has to be true",
      },
      command: { type: "string", value: "C", summary: "a command that has to end with 0" },
      "deny-path": { type: "list", value: "GLOB", summary: "paths that may not change; again for more" },
      "allow-path": {
        type: "list",
        value: "GLOB",
        summary: "the only paths that may change; again for more",
      },
    },
    examples: [
      { command: 'agents invariant add "Vendored code stays as it is" --global --deny-path vendor' },
      { command: 'agents invariant add "Public signatures stay" --project local/app,local/site' },
    ],
    seeAlso: ["invariant list", "invariant remove"],
    load: () => import("./commands/invariant-add.ts"),
  },
  "_cleveragents/invariant/remove": {
    path: ["invariant", "remove"],
    summary: "End an invariant; plans that have taken it over keep it.",
    positionals: [{ name: "ID", summary: "the invariant's id" }],
    examples: [{ command: "agents invariant remove inv_01J9K2TQ4M8R3V5W7X9Y0Z1A2B" }],
    seeAlso: ["invariant list"],
    load: () => import("./commands/invariant-remove.ts"),
  },
  "_cleveragents/profile/list": {
    path: ["profile", "list"],
    aliases: [["automation-profile", "list"]],
    summary: "The automation profiles: how much goes on without asking.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents profile list" },
      { command: "agents profile list --namespace team -o name" },
    ],
    seeAlso: ["profile show", "plan use"],
    load: () => import("./commands/profile-list.ts"),
  },
  "_cleveragents/profile/show": {
    path: ["profile", "show"],
    aliases: [["automation-profile", "show"]],
    summary: "One automation profile: thresholds, guards, budget.",
    positionals: [{ name: "NAME", summary: "a built-in profile or a registered one" }],
    examples: [
      { command: "agents profile show supervised" },
      { command: "agents profile show team/careful -o json" },
    ],
    seeAlso: ["profile list"],
    load: () => import("./commands/profile-show.ts"),
  },
  "_cleveragents/profile/add": {
    path: ["profile", "add"],
    aliases: [["automation-profile", "add"]],
    summary: "Register an automation profile from its file.",
    positionals: [FILE],
    flags: { update: UPDATE },
    examples: [
      { command: "agents profile add careful.yaml" },
      {
        command: "agents profile add careful.yaml --update",
        comment: "after an edit; plans keep what they have",
      },
    ],
    seeAlso: ["profile show", "plan use"],
    load: () => import("./commands/profile-add.ts"),
  },
  "_cleveragents/profile/remove": {
    path: ["profile", "remove"],
    aliases: [["automation-profile", "remove"]],
    summary: "Forget an automation profile; plans that have it keep it.",
    positionals: [NAME],
    examples: [{ command: "agents profile remove team/careful" }],
    seeAlso: ["profile list"],
    load: () => import("./commands/profile-remove.ts"),
  },
  "_cleveragents/policy/explain": {
    path: ["policy", "explain"],
    summary: "Whether a command would run, be asked about or be denied, and why.",
    details: "One word is read as sh -c reads it; several words, behind --, are a command without a shell.",
    positionals: [{ name: "COMMAND", summary: "the command; nothing is run", many: true }],
    flags: { profile: { type: "string", value: "P", summary: "the automation profile whose rules count" } },
    examples: [
      { command: 'agents policy explain "npm test && git push"' },
      { command: "agents policy explain --profile team/careful -- rm -rf build" },
    ],
    seeAlso: ["profile show"],
    load: () => import("./commands/policy-explain.ts"),
  },
  "_cleveragents/health/check": {
    path: ["health", "check"],
    summary: "Whether the agent can work.",
    details: "Exit code 1 when something does not work as it should.",
    examples: [
      { command: "agents health check" },
      { command: "agents health check --server https://agents.example -o json" },
    ],
    seeAlso: ["help connection"],
    load: () => import("./commands/health-check.ts"),
  },
  "_cleveragents/auth/key/create": {
    path: ["auth", "key", "create"],
    summary: "Make an API key for a caller over HTTP; it is shown once.",
    positionals: [{ name: "NAME", summary: "what lists call it" }],
    flags: {
      principal: { type: "string", value: "P", summary: "whose tasks its callers see (default: its own)" },
      scope: {
        type: "list",
        value: "S",
        summary: "what they may do, e.g. task:read (default: all but keys)",
      },
      tenant: { type: "list", value: "T", summary: "a tenant that they may name; again for more" },
      "expires-in-days": { type: "number", value: "N", summary: "ends it by itself" },
    },
    examples: [
      { command: "agents auth key create ci --expires-in-days 90" },
      {
        command: "agents auth key create dashboard --scope task:read -o name",
        comment: "the key alone",
      },
    ],
    seeAlso: ["auth key list", "auth key revoke"],
    load: () => import("./commands/auth-key-create.ts"),
  },
  "_cleveragents/auth/key/list": {
    path: ["auth", "key", "list"],
    summary: "The API keys of the server, never their secrets.",
    flags: PAGE,
    examples: [{ command: "agents auth key list" }, { command: "agents auth key list -o json" }],
    seeAlso: ["auth key create", "auth key revoke"],
    load: () => import("./commands/auth-key-list.ts"),
  },
  "_cleveragents/auth/key/revoke": {
    path: ["auth", "key", "revoke"],
    summary: "End an API key at once.",
    positionals: [{ name: "ID", summary: "the key's id" }],
    examples: [{ command: "agents auth key revoke 3f9c1e2aabbccdde" }],
    seeAlso: ["auth key list"],
    load: () => import("./commands/auth-key-revoke.ts"),
  },
  // The standard methods belong to `agents a2a …`, which speaks to any agent; `send` and `task` are still to come.
  SendMessage: null,
  SendStreamingMessage: null,
  GetTask: null,
  ListTasks: null,
  CancelTask: null,
  GetExtendedAgentCard: null,
  // For programs: at a terminal one plan is followed by `agents plan watch`, which also asks and answers.
  "_cleveragents/event/subscribe": null,
  // Notifications are for servers that listen; what a person follows is `agents plan watch`.
  CreateTaskPushNotificationConfig: null,
  GetTaskPushNotificationConfig: null,
  ListTaskPushNotificationConfigs: null,
  DeleteTaskPushNotificationConfig: null,
} as const satisfies Record<MethodName, CommandRow | null>;

/** Commands that ask nobody. */
const localCommands: readonly CommandRow[] = [
  {
    path: ["version"],
    summary: "The version of this command.",
    examples: [{ command: "agents version" }, { command: "agents -V" }],
    load: () => import("./commands/version.ts"),
  },
];

/** Commands that speak to any A2A agent, as the a2a-cli specification has them; they belong to no method of ours. */
const a2aCommands: readonly CommandRow[] = [
  {
    path: ["a2a", "card", "get"],
    summary: "The card of any A2A agent.",
    details:
      "AGENT is an agent's address, that of its card, or a file. stdout gets the card as it came.\n" +
      "--validate holds it against the schema of each version of A2A that it is of, and checks its signature\n" +
      "with the keys in FILE, else with those that the signature names.",
    positionals: [
      {
        name: "AGENT",
        summary: "https://agents.example, an address of a card, or ./card.json",
        optional: true,
      },
    ],
    flags: {
      "agent-card": { type: "string", value: "REF", summary: "the same as AGENT", env: "A2ACLI_AGENT_CARD" },
      validate: { type: "boolean", summary: "check schema and signature; exit code 1 if one is wrong" },
      key: { type: "string", value: "FILE", summary: "public keys to trust: JWK, JWKS or PEM" },
      extended: { type: "boolean", summary: "the card for known callers, with a credential" },
      bearer: { type: "string", value: "TOKEN", summary: "a token to show", env: "A2ACLI_BEARER" },
      "api-key": { type: "string", value: "KEY", summary: "an API key to show", env: "A2ACLI_API_KEY" },
      "a2a-version": {
        type: "string",
        value: "V",
        choices: ["1.0", "0.3"],
        default: "1.0",
        summary: "the version to ask for",
      },
    },
    examples: [
      { command: "agents a2a card get https://agents.example" },
      { command: "agents a2a card get https://agents.example --validate -o json" },
      { command: "agents a2a card get http://localhost:8000 --extended --bearer TOKEN" },
    ],
    seeAlso: ["help exit-codes"],
    load: () => import("./commands/a2a-card-get.ts"),
  },
];

export const commandRows: readonly CommandRow[] = [
  ...Object.values<CommandRow | null>(commandTable).filter((row) => row !== null),
  ...a2aCommands,
  ...localCommands,
];
