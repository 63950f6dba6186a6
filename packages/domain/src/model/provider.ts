import { BUILTIN_PROVIDERS } from "./builtin-providers.ts";
import type { ModelSettings, ProviderSettings } from "./provider-schema.ts";

/** Where models are, and how they are spoken to; complete. */
export interface Provider {
  readonly name: string;
  readonly kind: "openai" | "anthropic" | "replay";
  readonly baseUrl: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConcurrent: number;
  readonly retries: number;
  /** Milliseconds. */
  readonly timeouts: { readonly firstByte: number; readonly betweenBytes: number; readonly total: number };
  readonly defaults: ModelSettings;
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly cassette?: string;
  readonly builtin: boolean;
}

/** A provider that is not built in lacks what it cannot be reached without. */
export class IncompleteProviderError extends Error {
  override readonly name = "IncompleteProviderError";
  readonly provider: string;
  constructor(provider: string, missing: string) {
    super(`the provider ${provider} needs \`${missing}\``);
    this.provider = provider;
  }
}

/** The built-in providers with what `changes` say of them, and those that only `changes` name. */
export function providersWith(changes: Readonly<Record<string, ProviderSettings>>): readonly Provider[] {
  const names = [...new Set([...Object.keys(BUILTIN_PROVIDERS), ...Object.keys(changes)])].sort();
  return names.map((name) => merged(name, BUILTIN_PROVIDERS[name], changes[name] ?? {}));
}

function merged(name: string, builtin: ProviderSettings | undefined, own: ProviderSettings): Provider {
  const known = builtin ?? {};
  const all = { ...known, ...own };
  if (all.kind === undefined) throw new IncompleteProviderError(name, "kind");
  if (all.kind === "replay" && all.cassette === undefined)
    throw new IncompleteProviderError(name, "cassette");
  if (all.kind !== "replay" && all.base_url === undefined)
    throw new IncompleteProviderError(name, "base_url");
  const timeouts = { ...known.timeouts, ...own.timeouts };
  // A key that the file names takes the place of the built-in way to find one.
  const key = own.key_env !== undefined || own.key_file !== undefined ? own : all;
  return {
    name,
    kind: all.kind,
    baseUrl: (all.base_url ?? "").replace(/\/+$/, ""),
    ...(key.key_env === undefined ? {} : { keyEnv: key.key_env }),
    ...(key.key_file === undefined ? {} : { keyFile: key.key_file }),
    headers: { ...known.headers, ...own.headers },
    maxConcurrent: all.max_concurrent ?? 4,
    retries: all.retries ?? 4,
    timeouts: {
      firstByte: (timeouts.first_byte ?? 120) * 1000,
      betweenBytes: (timeouts.between_bytes ?? 60) * 1000,
      total: (timeouts.total ?? 600) * 1000,
    },
    defaults: { ...known.defaults, ...own.defaults },
    models: mergedModels(known.models ?? {}, own.models ?? {}),
    ...(all.cassette === undefined ? {} : { cassette: all.cassette }),
    builtin: builtin !== undefined,
  };
}

function mergedModels(
  known: Readonly<Record<string, ModelSettings>>,
  own: Readonly<Record<string, ModelSettings>>,
): Record<string, ModelSettings> {
  const names = new Set([...Object.keys(known), ...Object.keys(own)]);
  return Object.fromEntries([...names].map((name) => [name, { ...known[name], ...own[name] }]));
}

/** What holds of one of its models, named or not. */
export function settingsOf(provider: Provider, model: string): ModelSettings {
  return { ...provider.defaults, ...(Object.hasOwn(provider.models, model) ? provider.models[model] : {}) };
}
