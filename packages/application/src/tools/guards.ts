import {
  breachIn,
  callsOfStep,
  isApproved,
  judgeCommand,
  like,
  proceeds,
  repeatsOf,
  type ShellParser,
} from "@cleveragents/domain";
import { SUBPLAN_TOOL } from "../plans/subplans/subplan-tool.ts";
import type { ToolGuard } from "./tool-guard.ts";

function guard(
  name: string,
  check: (...args: Parameters<ToolGuard["check"]>) => ["ask" | "deny", string] | undefined,
): ToolGuard {
  return {
    name,
    check(...args) {
      const said = check(...args);
      return said === undefined ? undefined : { guard: name, verdict: said[0], reason: said[1] };
    },
  };
}

const denylist = guard("denylist", ({ tool }, _descriptor, { profile }) => {
  const pattern = profile.guards.tool_denylist.find((denied) => like(denied, tool));
  return pattern === undefined ? undefined : ["deny", `${tool} is denied by "${pattern}" of the profile`];
});

const allowlist = guard("allowlist", ({ tool }, _descriptor, { profile }) => {
  const { tool_allowlist } = profile.guards;
  if (tool_allowlist.length === 0 || tool_allowlist.some((allowed) => like(allowed, tool))) return undefined;
  return ["deny", `${tool} is not on the profile's list of tools`];
});

const unsafe = guard("unsafe_tools", ({ tool }, { effect }, { profile }) =>
  effect === "irreversible" && !profile.allowUnsafeTools
    ? ["deny", `what ${tool} does cannot be undone, and the profile allows no such tools`]
    : undefined,
);

const budget: ToolGuard = {
  name: "budget",
  check(_call, _descriptor, { guarding, call }) {
    const amounts = { tool_calls: 1, ...call.amounts };
    const breach = breachIn(guarding, call.callId, amounts);
    if (breach === undefined) return undefined;
    const of = guarding.shared?.find(({ id }) => id === breach.account);
    const whose = of === undefined ? "" : ` of the ${of.of} ${of.name}`;
    const reason = `the budget of ${breach.limit} ${breach.kind}${whose} is used up (${breach.used} used)`;
    return { guard: "budget", verdict: "ask", reason, breach };
  },
};

const callLimit = guard("call_limit", (_call, _descriptor, { profile, guarding, call }) => {
  const limit = profile.guards.max_tool_calls_per_step;
  const made = callsOfStep(guarding, call.step);
  if (limit === undefined || made < limit || guarding.spending.reserved[call.callId] !== undefined)
    return undefined;
  return ["deny", `the step has made ${made} of ${limit} calls`];
});

const loop = guard("loop", ({ tool }, _descriptor, { profile, guarding, call }) => {
  const made = repeatsOf(guarding, call);
  if (made < profile.guards.max_identical_calls) return undefined;
  return ["ask", `${tool} was called ${made} times in a row with the same arguments`];
});

function commands(shell: ShellParser): ToolGuard {
  return {
    name: "commands",
    check({ args }, descriptor, { profile }) {
      const policy = profile.guards.commands;
      const run = descriptor.commandOf?.(args);
      if (policy === undefined || run === undefined) return undefined;
      const { verdict, reason } = judgeCommand(policy, shell, run.command, run.environment);
      return { guard: "commands", verdict, reason };
    },
  };
}

const network = guard("network", ({ tool, args }, descriptor, { profile }) =>
  descriptor.networkOf?.(args) === true && !proceeds(profile, "access_network", 1)
    ? ["ask", `${tool} asks for the network`]
    : undefined,
);

const subplans = guard("subplans", ({ tool }, _descriptor, { profile, confidence = 1 }) =>
  tool === SUBPLAN_TOOL && !proceeds(profile, "install_dependency", confidence)
    ? ["ask", "it starts plans of its own"]
    : undefined,
);

const writes = guard("writes", ({ tool }, { readOnly }, { profile }) =>
  profile.guards.require_approval_for_writes && !readOnly ? ["ask", `${tool} writes`] : undefined,
);

/** The guards of every tool call, in the order in which they are reported. What a human let pass once is passed. */
export function standardGuards(shell: ShellParser): readonly ToolGuard[] {
  return [
    denylist,
    allowlist,
    unsafe,
    budget,
    callLimit,
    loop,
    commands(shell),
    network,
    subplans,
    writes,
  ].map((inner) => ({
    name: inner.name,
    check(call, descriptor, facts) {
      const said = inner.check(call, descriptor, facts);
      if (said?.verdict !== "ask") return said;
      const { guarding, call: guarded } = facts;
      // One that was charged before its process died has been let through already.
      const passed =
        guarding.spending.reserved[guarded.callId] !== undefined ||
        isApproved(guarding, inner.name, guarded.key);
      return passed ? { ...said, verdict: "allow", reason: `approved: ${said.reason}` } : said;
    },
  }));
}
