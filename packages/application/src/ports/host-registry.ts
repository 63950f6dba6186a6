/** A host whose name another one bears at this moment. */
export class HostTakenError extends Error {
  override readonly name = "HostTakenError";
  readonly hint = "give each host a name of its own (CLEVERAGENTS_ENGINE_NAMESPACE), or none";
  readonly host: string;
  constructor(host: string) {
    super(`another data directory carries out plans under the name ${host}`);
    this.host = host;
  }
}

/** The hosts that share a store, by what each of them says of itself now and then. */
export interface HostRegistry {
  /** Says that a process of this host lives. Throws {@link HostTakenError}. */
  beat(): Promise<void>;
  /** Hosts that were heard of once, and of which nothing was heard for so long. */
  silent(forMs: number): Promise<readonly string[]>;
  close(): Promise<void>;
}
