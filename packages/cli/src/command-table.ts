import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow, FlagSpec, Flags, PositionalSpec } from "./command/command-row.ts";

const PLAN: PositionalSpec = {
  name: "ID",
  summary: "the plan's id, or at least six characters that begin or end it",
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
      "require-isolation": { type: "boolean", summary: "refuse where its commands cannot be isolated" },
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
  "_cleveragents/plan/execute": {
    path: ["plan", "execute"],
    summary: "Let a plan go on until it needs you again, and watch it.",
    details:
      "Progress goes to stderr, the state it stops in to stdout. Ctrl-C detaches and the plan goes on;\n" +
      "a second Ctrl-C within two seconds cancels the plan.",
    positionals: [PLAN],
    flags: FOLLOW,
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
    summary: "Make a plan that undoes an applied one.",
    details:
      "Writes nothing: the new plan holds the exact inverse and waits to be applied. Applied changes can be\n" +
      "undone for 30 days; files that changed since are refused, as with every apply.",
    positionals: [PLAN],
    examples: [
      { command: "agents plan rollback 7K3M9QZX" },
      { command: "agents plan rollback 7K3M9QZX -o name", comment: "the id of the plan to apply" },
    ],
    seeAlso: ["plan apply", "plan diff"],
    load: () => import("./commands/plan-rollback.ts"),
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
    summary: "What a plan has produced, file by file.",
    positionals: [PLAN],
    examples: [
      { command: "agents plan artifacts 7K3M9QZX" },
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
    seeAlso: ["plan status"],
    load: () => import("./commands/plan-tree.ts"),
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
  // The standard methods belong to `agents a2a send|task …`, which speaks to any agent and is still to come.
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

export const commandRows: readonly CommandRow[] = [
  ...Object.values<CommandRow | null>(commandTable).filter((row) => row !== null),
  ...localCommands,
];
