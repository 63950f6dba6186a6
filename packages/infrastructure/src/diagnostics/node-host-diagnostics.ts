import type {
  DiagnosticFile,
  HealthCheck,
  HostDiagnostics,
  ModelProviders,
  RegistryStore,
} from "@cleveragents/application";
import { diskCheck } from "./disk-check.ts";
import { environmentText } from "./environment-text.ts";
import { gitCheck } from "./git-check.ts";
import { logText } from "./log-text.ts";
import { modelsCheck } from "./models-check.ts";
import { permissionsCheck } from "./permissions-check.ts";
import { programsCheck } from "./programs-check.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface NodeHostDiagnosticsDeps {
  readonly dataDir: string;
  readonly env: Environment;
  readonly registry: Pick<RegistryStore, "list">;
  readonly providers?: ModelProviders | undefined;
}

/** What Node, git and the file system say. Summaries name no paths: callers from elsewhere may ask too. */
export class NodeHostDiagnostics implements HostDiagnostics {
  readonly #deps: NodeHostDiagnosticsDeps;

  constructor(deps: NodeHostDiagnosticsDeps) {
    this.#deps = deps;
  }

  checks(): readonly HealthCheck[] {
    const { dataDir, env, registry, providers } = this.#deps;
    return [
      runtimeCheck(),
      gitCheck(env),
      diskCheck(dataDir),
      permissionsCheck(dataDir, process.getuid?.()),
      ...(providers === undefined ? [] : [modelsCheck(providers, { env, dataDir })]),
      programsCheck("mcp", registry, env),
      programsCheck("lsp", registry, env),
    ];
  }

  async files(): Promise<readonly DiagnosticFile[]> {
    const { dataDir, env } = this.#deps;
    return [
      { name: "environment.txt", text: environmentText(env) },
      { name: "owner.log", text: await logText(dataDir, env) },
    ];
  }
}

function runtimeCheck(): HealthCheck {
  const { version, versions, platform, arch } = process;
  return {
    id: "runtime",
    required: false,
    remediation: "",
    run: async () => `Node.js ${version}, SQLite ${versions["sqlite"] ?? "?"}, ${platform} ${arch}`,
  };
}
