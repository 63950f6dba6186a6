import { canonicalName, EntryExistsError, EntryNotFoundError, type JsonObject } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { Clock } from "../ports/clock.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import { type Executable, type Trust, TrustRequiredError } from "../ports/trust.ts";
import { digestOfJson } from "../tools/call-key.ts";

/** Consent to starting exactly one thing. Values of its environment are in the digest, and nowhere else. */
export interface Consent {
  readonly kind: Executable["kind"];
  readonly entry: string;
  /** `sha256:…` over all that would be started. */
  readonly digest: string;
  /** Absent where consent was given by a digest alone. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly variables?: readonly string[];
  readonly files?: readonly { readonly path: string; readonly sha256: string }[];
  readonly grantedBy?: string;
  /** Absent: it has only asked. */
  readonly grantedAt?: number;
}

export interface TrustRequest {
  readonly kind: Executable["kind"];
  readonly name: string;
  readonly digest?: string | undefined;
}

/** What has asked in vain is remembered by this process, so that consent can be shown what it is given to. */
const REMEMBERED = 200;

/** Who may be started, by consent that is bound to all of what would be. */
export class TrustService implements Trust {
  readonly #registry: RegistryStore;
  readonly #clock: Clock;
  readonly #asked = new Map<string, Consent>();

  constructor(deps: { readonly registry: RegistryStore; readonly clock: Clock }) {
    this.#registry = deps.registry;
    this.#clock = deps.clock;
  }

  async demand(executable: Executable): Promise<void> {
    const consent = await describe(executable);
    if ((await this.#registry.find("trust", consent.digest)) !== undefined) return;
    this.#asked.delete(consent.digest);
    this.#asked.set(consent.digest, consent);
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= REMEMBERED) break;
      this.#asked.delete(oldest);
    }
    const { kind, entry, digest } = consent;
    const changed = (await this.#granted()).some((other) => isOf(other, kind, entry));
    throw new TrustRequiredError(kind, entry, digest, changed);
  }

  /** What is trusted, and what has asked in vain, by kind and name. */
  async list(): Promise<readonly Consent[]> {
    const granted = await this.#granted();
    const known = new Set(granted.map(({ digest }) => digest));
    const asked = [...this.#asked.values()].filter(({ digest }) => !known.has(digest));
    return [...granted, ...asked].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** By digest, or to the last that has asked under this name. Throws `EntryNotFoundError` if none has. */
  async grant(principal: Principal, { kind, name, digest }: TrustRequest): Promise<Consent> {
    const entry = canonicalName(name);
    const asked = [...this.#asked.values()].filter((consent) => isOf(consent, kind, entry));
    const meant = digest === undefined ? asked.at(-1) : asked.find((consent) => consent.digest === digest);
    if (meant === undefined && digest === undefined) {
      const granted = (await this.#granted()).find((consent) => isOf(consent, kind, entry));
      if (granted !== undefined) return granted;
      throw new ProtocolError("EntryNotFound", {
        reason: "TRUST_NOT_FOUND",
        message: `Nothing has asked to be started as the ${kind} ${entry}`,
        hint: "let it be started once, and give the --digest that the refusal names",
        details: { kind, name: entry },
      });
    }
    return this.#keep(principal, meant ?? { kind, entry, digest: digest as string });
  }

  /** Consent of whoever registers it by hand. */
  async trust(principal: Principal, executable: Executable): Promise<Consent> {
    return this.#keep(principal, await describe(executable));
  }

  /** Ends consent: to one digest, or to all under this name. Throws `EntryNotFoundError` if there is none. */
  async withdraw({ kind, name, digest }: TrustRequest): Promise<readonly Consent[]> {
    const entry = canonicalName(name);
    const granted = await this.#granted();
    const ended = granted.filter(
      (consent) => isOf(consent, kind, entry) && (digest === undefined || consent.digest === digest),
    );
    if (ended.length === 0)
      throw new EntryNotFoundError(
        "trust",
        `${kind} ${entry}`,
        granted.map((consent) => `${consent.kind} ${consent.entry}`),
      );
    for (const consent of ended) await this.#registry.remove("trust", consent.digest);
    return ended;
  }

  async #keep(principal: Principal, consent: Consent): Promise<Consent> {
    const now = this.#clock.now();
    const given: Consent = { ...consent, grantedBy: principal.id, grantedAt: now };
    try {
      await this.#registry.add({
        kind: "trust",
        name: consent.digest,
        document: given as unknown as JsonObject,
        createdAt: now,
        updatedAt: now,
      });
    } catch (error) {
      if (!(error instanceof EntryExistsError)) throw error;
      return consentOf((await this.#registry.find("trust", consent.digest)) as RegistryEntry); // it was there just now
    }
    this.#asked.delete(consent.digest);
    return given;
  }

  async #granted(): Promise<readonly Consent[]> {
    return (await this.#registry.list("trust")).map(consentOf);
  }
}

async function describe(executable: Executable): Promise<Consent> {
  const { kind, command, args, environment, files = [] } = executable;
  const entry = canonicalName(executable.name);
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const whole = { kind, entry, command, args, environment, files: sorted.map((file) => ({ ...file })) };
  return {
    kind,
    entry,
    digest: `sha256:${await digestOfJson(JSON.parse(JSON.stringify(whole)))}`,
    command,
    args,
    variables: Object.keys(environment).sort(),
    ...(files.length === 0 ? {} : { files: sorted }),
  };
}

function consentOf({ document }: RegistryEntry): Consent {
  return document as unknown as Consent; // written by #keep alone
}

function isOf(consent: Consent, kind: Executable["kind"], entry: string): boolean {
  return consent.kind === kind && consent.entry === entry;
}

function keyOf({ kind, entry, digest }: Consent): string {
  return `${kind} ${entry} ${digest}`;
}
