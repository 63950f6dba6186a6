import { join } from "node:path";
import type { Services } from "@cleveragents/application";
import { EntryNotFoundError, isFinalStage } from "@cleveragents/domain";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import type { Environment } from "../config.ts";
import { agentsCommand } from "./agents-command.ts";
import { DEMO_ACTION, DEMO_ACTION_YAML, DEMO_DESCRIPTION, DEMO_PROJECT } from "./demo-files.ts";
import { makeProject } from "./make-project.ts";

export interface Demo {
  /** What to tell the user: how to go on with the plan that waits, or how to make another. */
  lines(at: { readonly cwd: string; readonly dataDir: string }): readonly string[];
}

export interface DemoDeps {
  readonly services: Pick<Services, "plans" | "registry">;
  readonly dataDir: string;
  readonly env: Environment;
}

/**
 * A small project in a git repository under the data directory, and one plan on it that waits for approval. Made once:
 * what the user did with it afterwards is left as it is.
 */
export async function prepareDemo({ services, dataDir, env }: DemoDeps): Promise<Demo> {
  const folder = join(dataDir, "demo", "greeter");
  if (await isNew(services)) {
    await makeProject(folder, env);
    const { entries } = services.registry;
    await entries.add("action", { document: DEMO_ACTION_YAML, file: "polite-greeting.yaml" }, true);
    const value = { name: DEMO_PROJECT, path: folder, description: DEMO_DESCRIPTION };
    await entries.add("project", { value }, false);
    const plan = await services.plans.use(LOCAL_PRINCIPAL, {
      action: DEMO_ACTION,
      arguments: {},
      project: DEMO_PROJECT,
      profile: "trusted",
    });
    await untilItWaits(services, plan.planId);
  }
  const waiting = await waitingPlan(services);
  return {
    lines: ({ cwd, dataDir: at }) => {
      const agents = agentsCommand(cwd, at);
      if (waiting === undefined)
        return [
          "Make a plan on the demo project from another terminal:",
          `  ${agents(`plan use ${DEMO_ACTION} --project ${DEMO_PROJECT}`)}`,
        ];
      return [
        `A demo plan has been executed on ${folder} and waits for your approval. In another terminal:`,
        `  ${agents(`plan diff ${waiting}`)}`,
        `  ${agents(`plan apply ${waiting}`)}`,
        `  ${agents("plan list")}`,
      ];
    },
  };
}

async function isNew({ registry }: DemoDeps["services"]): Promise<boolean> {
  try {
    await registry.find("project", DEMO_PROJECT);
    return false;
  } catch (error) {
    if (error instanceof EntryNotFoundError) return true;
    throw error;
  }
}

async function untilItWaits({ plans }: DemoDeps["services"], planId: string): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 50) {
    const { row, plan } = await plans.find(LOCAL_PRINCIPAL, planId);
    if (isFinalStage(plan.stage) || row.state === "input-required") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function waitingPlan({ plans }: DemoDeps["services"]): Promise<string | undefined> {
  const { rows } = await plans.list({
    principal: LOCAL_PRINCIPAL.id,
    limit: 100,
    states: ["input-required"],
  });
  return rows.find(
    (row) => (row.document?.["project"] as { name?: string } | undefined)?.name === DEMO_PROJECT,
  )?.taskId;
}
