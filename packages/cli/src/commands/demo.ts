import { resolve } from "node:path";
import { type Client, RemoteError } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { isWaiting } from "../plan/outcome.ts";

/** What the server's program says of the demo that it has written. */
interface Demo {
  readonly project: { readonly name: string; readonly description: string };
  readonly action: { readonly name: string; readonly document: string };
}

const PROJECT = "local/demo";

export const command: Command = {
  async run(invocation) {
    const { context, options, values, output } = invocation;
    if (options.server !== undefined)
      throw usageError(
        "the demo is made on this machine",
        "leave out --server, or: agents server disconnect",
      );
    const folder = resolve(context.cwd, values.optionalPositional("DIR") ?? "cleveragents-demo");
    const client = await invocation.client();
    const there = await demoFolder(client, options.timeoutMs);
    const demo = there === undefined ? await made(invocation, client, folder) : undefined;
    const path = there ?? folder;
    const waiting = demo === undefined ? await waitingPlan(client, options.timeoutMs) : demo;
    await output.result(
      { project: PROJECT, path, plan_id: waiting ?? null, made: demo !== undefined },
      {
        text: () =>
          fields([
            ["Demo", `${path}${demo === undefined ? " (there already)" : ""}`],
            ["Plan", waiting === undefined ? undefined : `${waiting}, which waits for your approval`],
            ["Next", nextOf(waiting)],
          ]),
        names: () => [waiting ?? PROJECT],
      },
    );
    return EXIT.OK;
  },
};

function nextOf(plan: string | undefined): string {
  if (plan === undefined) return `agents plan use local/polite-greeting --project ${PROJECT}`;
  return [`agents plan diff ${plan}`, `agents plan apply ${plan}`].join("\n");
}

async function demoFolder(client: Client, timeoutMs: number | undefined): Promise<string | undefined> {
  try {
    const { path } = await client.call(
      "_cleveragents/registry/project/show",
      { name: PROJECT },
      { timeoutMs },
    );
    return path;
  } catch (error) {
    if (RemoteError.is(error) && error.reason.endsWith("NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Folder, action, project and a plan that has been carried out up to its approval; its id. */
async function made(invocation: Invocation, client: Client, folder: string): Promise<string> {
  const { context, options } = invocation;
  const { code, stdout, stderr } = await context.serverProgram(["demo", folder]);
  if (code !== 0) {
    const [first = "", hint] = stderr.trim().split(/\n(?:hint: )?/);
    throw new CliError("DEMO_NOT_MADE", first.replace(/^error: /, ""), {
      hint: hint ?? "name another folder: agents demo DIR",
    });
  }
  const { project, action } = JSON.parse(stdout) as Demo;
  const limit = { timeoutMs: options.timeoutMs };
  await client.call(
    "_cleveragents/registry/action/add",
    { document: action.document, file: "demo.yaml", update: true },
    limit,
  );
  await client.call("_cleveragents/registry/project/add", { ...project, path: folder }, limit);
  const { plan_id } = await client.call(
    "_cleveragents/plan/use",
    { action_name: action.name, project: project.name, automation_profile: "trusted" },
    limit,
  );
  await followPlan(invocation, { planId: plan_id });
  return plan_id;
}

async function waitingPlan(client: Client, timeoutMs: number | undefined): Promise<string | undefined> {
  const { plans } = await client.call("_cleveragents/plan/list", { page_size: 100 }, { timeoutMs });
  return plans.find(({ project, task_state }) => project === PROJECT && isWaiting(task_state))?.plan_id;
}
