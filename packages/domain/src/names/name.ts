/** `[[server:]namespace/]name` of every registered thing; a bare name lies in the namespace `local`. */
export interface QualifiedName {
  readonly server?: string;
  readonly namespace: string;
  readonly name: string;
}

export class InvalidNameError extends Error {
  override readonly name = "InvalidNameError";
  readonly value: string;
  readonly why: string;
  constructor(value: string, why: string) {
    super(`"${value}" is not a name: ${why}`);
    this.value = value;
    this.why = why;
  }
}

const PART = /^[A-Za-z][A-Za-z0-9_-]*$/;
const RESERVED: ReadonlySet<string> = new Set(["system", "internal", "admin", "root"]);

/** Parses a name; case is kept and compared exactly. Throws {@link InvalidNameError}. */
export function parseName(value: string): QualifiedName {
  const colon = value.indexOf(":");
  const server = colon < 0 ? undefined : value.slice(0, colon);
  const rest = value.slice(colon + 1);
  const slash = rest.indexOf("/");
  const namespace = slash < 0 ? "local" : rest.slice(0, slash);
  const name = rest.slice(slash + 1);
  if (server !== undefined && slash < 0)
    throw new InvalidNameError(value, "a server needs a namespace: server:namespace/name");
  for (const part of [server, namespace, name]) {
    if (part !== undefined && !PART.test(part)) {
      throw new InvalidNameError(
        value,
        "each part begins with a letter and holds letters, digits, - and _ only",
      );
    }
  }
  if (RESERVED.has(namespace)) throw new InvalidNameError(value, `the namespace ${namespace} is reserved`);
  return server === undefined ? { namespace, name } : { server, namespace, name };
}

/** The full form, `namespace/name` or `server:namespace/name`; `parseName` of it gives the same parts. */
export function formatName(name: QualifiedName): string {
  return `${name.server === undefined ? "" : `${name.server}:`}${name.namespace}/${name.name}`;
}

/** The full form of a name in any of its spellings. Throws {@link InvalidNameError}. */
export function canonicalName(value: string): string {
  return formatName(parseName(value));
}

const PROVIDERS: ReadonlySet<string> = new Set([
  "openai",
  "anthropic",
  "google",
  "mistral",
  "groq",
  "ollama",
  "lmstudio",
  "llamacpp",
  "vllm",
  "openrouter",
  "azure",
  "bedrock",
]);

/** Namespaces of what comes with the product; nobody registers anything in them. */
const OWN: ReadonlySet<string> = new Set(["builtin"]);

/** The full form of a name that somebody may give to what he registers. Throws {@link InvalidNameError}. */
export function ownName(value: string): string {
  const name = parseName(value);
  if (PROVIDERS.has(name.namespace))
    throw new InvalidNameError(value, `the namespace ${name.namespace} is for the models of this provider`);
  if (OWN.has(name.namespace))
    throw new InvalidNameError(value, `the namespace ${name.namespace} is for what comes with the product`);
  return formatName(name);
}

/** Whether a name means a provider's model as an actor, e.g. `openai/gpt-4.1`; nobody registers these. */
export function isProviderActor(value: string): boolean {
  const slash = value.indexOf("/");
  return (
    slash > 0 &&
    PROVIDERS.has(value.slice(0, slash)) &&
    /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(value.slice(slash + 1))
  );
}
