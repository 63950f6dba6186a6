/** What would be started. Consent is bound to a digest of all of it. */
export interface Executable {
  readonly kind: "mcp" | "lsp" | "skill" | "tool";
  /** Of the thing that brings it, in full. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Files that it runs, as they are now; `sha256` in lower-case hex. */
  readonly files?: readonly { readonly path: string; readonly sha256: string }[];
}

/** Who may be started. */
export interface Trust {
  /** Throws {@link TrustRequiredError}, whose text names the command that gives consent. */
  demand(executable: Executable): Promise<void>;
}

/** Nobody has consented to this being started as it is now; nothing was started. */
export class TrustRequiredError extends Error {
  override readonly name = "TrustRequiredError";
  readonly reason = "TRUST_REQUIRED";
  readonly kind: Executable["kind"];
  readonly entry: string;
  /** `sha256:…` of what would be started. */
  readonly digest: string;
  /** What a person types to consent to exactly this. */
  readonly command: string;
  constructor(kind: Executable["kind"], entry: string, digest: string, changed: boolean) {
    const command = `agents trust add ${kind} ${entry} --digest ${digest}`;
    super(
      `${kind} ${entry} ${changed ? "is not what was trusted any more" : "is not trusted"}, so nothing was started; to trust it: ${command}`,
    );
    this.kind = kind;
    this.entry = entry;
    this.digest = digest;
    this.command = command;
  }
}
