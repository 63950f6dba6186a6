import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { HealthCheck } from "@cleveragents/application";
import type { Environment } from "./node-host-diagnostics.ts";

/** What sandboxes are made with needs this one. */
const OLDEST = [2, 38] as const;

export function gitCheck(env: Environment): HealthCheck {
  return {
    id: "git",
    required: true,
    remediation: `install git ${OLDEST.join(".")} or newer: sandboxes are made with it`,
    run: async () => {
      const variables = { PATH: env["PATH"], LC_ALL: "C" };
      const { stdout } = await promisify(execFile)("git", ["--version"], { env: variables, timeout: 5000 });
      const [, version = "", major, minor] = /(([0-9]+)\.([0-9]+)\S*)/.exec(stdout) ?? [];
      const found = [Number(major), Number(minor)] as const;
      const isOld = found[0] < OLDEST[0] || (found[0] === OLDEST[0] && found[1] < OLDEST[1]);
      return isOld ? { lacking: `${version} is older than ${OLDEST.join(".")}` } : version;
    },
  };
}
