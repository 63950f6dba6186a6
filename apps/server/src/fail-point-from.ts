import { FAIL_POINTS, type FailPoint } from "@cleveragents/application";
import { ConfigError, type Environment } from "./config.ts";

const VARIABLE = "CLEVERAGENTS_FAIL_POINT";
const LOG_VARIABLE = "CLEVERAGENTS_FAIL_POINT_LOG";

interface Host {
  readonly signalSelf: (signal: "SIGKILL" | "SIGSTOP") => void;
  readonly append: (file: string, line: string) => void;
}

/**
 * Reads `<name>[:<n>][:kill|stop|error]`, several with commas: at the n-th pass of the point (the first) the process is
 * killed, is stopped until SIGCONT, or has an error thrown at it. The name `*` counts the passes of all points. With
 * CLEVERAGENTS_FAIL_POINT_LOG, every pass is a line of that file. Throws {@link ConfigError}.
 */
export function failPointFrom(env: Environment, host: Host): FailPoint | undefined {
  const log = env[LOG_VARIABLE] ?? "";
  const armed = (env[VARIABLE] ?? "").split(",").flatMap((text) => (text === "" ? [] : [read(text)]));
  if (armed.length === 0 && log === "") return undefined;
  return (passed) => {
    if (log !== "") host.append(log, `${passed}\n`);
    for (const point of armed) {
      if ((point.name !== "*" && point.name !== passed) || --point.left !== 0) continue;
      if (point.how === "error") throw new Error(`fail point ${passed}`);
      host.signalSelf(point.how === "stop" ? "SIGSTOP" : "SIGKILL");
    }
  };
}

function read(text: string): { readonly name: string; left: number; readonly how: string } {
  const [, name = "", count = "1", how = "kill"] =
    /^([^:]*)(?::(\d+))?(?::(kill|stop|error))?$/.exec(text) ?? [];
  if ((name !== "*" && !Object.hasOwn(FAIL_POINTS, name)) || Number(count) < 1)
    throw new ConfigError(`${VARIABLE}: "${text}" is not <name>[:<n>][:kill|stop|error] of a fail point`);
  return { name, left: Number(count), how };
}
