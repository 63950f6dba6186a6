import { environmentChoice, type PlanEnvironment } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { CommandEnvironments, FoundEnvironment } from "../ports/command-environments.ts";

/**
 * The environment that a new plan asks for, among those that its project describes. It has to be asked for: whatever a
 * repository brings starts nothing by itself. Undefined for the host. Throws `ProtocolError`.
 */
export async function findEnvironment(
  environments: Pick<CommandEnvironments, "detect"> | undefined,
  projectRoot: string,
  asked: string | undefined,
): Promise<PlanEnvironment | undefined> {
  if (asked === undefined) return undefined;
  const choice = environmentChoice(asked);
  if (choice === undefined)
    throw refusal(`an environment is host, devcontainer or devcontainer:NAME, not "${asked}"`);
  if (choice.kind === "host") return undefined;
  if (environments === undefined) throw refusal("this agent runs commands on its host only");
  const known = await environments.detect(projectRoot);
  const found = oneOf(known, choice.name);
  if (found.unusable !== undefined) throw refusal(found.unusable);
  return { kind: found.kind, name: found.name, config: found.config };
}

function oneOf(known: readonly FoundEnvironment[], name: string | undefined): FoundEnvironment {
  if (known.length === 0)
    throw refusal(
      "the project describes no dev container: there is neither .devcontainer/devcontainer.json nor .devcontainer.json",
    );
  const names = known.map((one) => `devcontainer:${one.name}`).join(", ");
  const found =
    name === undefined && known.length === 1
      ? known[0]
      : known.find((one) => one.name === (name ?? "default"));
  if (found === undefined)
    throw refusal(
      name === undefined
        ? `the project describes several dev containers: choose one of ${names}`
        : `the project describes no dev container ${name}: there is ${names}`,
    );
  return found;
}

function refusal(description: string): ProtocolError {
  return new ProtocolError("InvalidParams", { violations: [{ field: "environment", description }] });
}
