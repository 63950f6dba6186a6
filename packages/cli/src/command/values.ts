export type Value = string | number | boolean | readonly string[];

export interface GivenFlag {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** What was given on the command line, by name. Reading a name in another type than its row declares is a bug. */
export class Values {
  readonly #positionals: ReadonlyMap<string, string>;
  readonly #flags: ReadonlyMap<string, Value>;
  readonly #many: ReadonlyMap<string, readonly string[]>;
  /** Every flag in the order in which it was given, one entry for each time. */
  readonly ordered: readonly GivenFlag[];
  constructor(
    positionals: ReadonlyMap<string, string>,
    flags: ReadonlyMap<string, Value>,
    many: ReadonlyMap<string, readonly string[]> = new Map(),
    ordered: readonly GivenFlag[] = [],
  ) {
    this.ordered = ordered;
    this.#many = many;
    this.#positionals = positionals;
    this.#flags = flags;
  }

  /** A required positional; the parser has made sure that it is there. */
  positional(name: string): string {
    return this.#positionals.get(name) ?? "";
  }

  optionalPositional(name: string): string | undefined {
    return this.#positionals.get(name);
  }

  /** Every word of a positional that takes many. */
  all(name: string): readonly string[] {
    return this.#many.get(name) ?? [];
  }

  text(flag: string): string | undefined {
    const value = this.#flags.get(flag);
    return typeof value === "string" ? value : undefined;
  }

  number(flag: string): number | undefined {
    const value = this.#flags.get(flag);
    return typeof value === "number" ? value : undefined;
  }

  list(flag: string): readonly string[] {
    const value = this.#flags.get(flag);
    return Array.isArray(value) ? value : [];
  }

  isSet(flag: string): boolean {
    return this.#flags.has(flag);
  }
}
