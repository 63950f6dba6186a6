import type { GlobalOptions } from "../command/global-options.ts";
import type { CliContext, OutputStream } from "../context.ts";
import { clean } from "./clean.ts";
import { choosePaint, type Paint } from "./paint.ts";

/** What a text is laid out for. */
export interface Page {
  readonly paint: Paint;
  readonly columns: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The forms of a method's result beside JSON and YAML, which are the result itself. */
export interface Rendering<T> {
  readonly text: (result: T, page: Page) => string;
  /** What `-o name` prints, one a line. */
  readonly names: (result: T) => readonly string[];
}

type OutputOptions = Pick<GlobalOptions, "output" | "noColor" | "quiet" | "verbose">;

/** stdout gets the result and nothing else; whatever is for a person on the way goes to stderr. */
export class Output {
  readonly #context: CliContext;
  readonly #options: OutputOptions;
  #pages: { page?: Page; errorPage?: Page } = {};

  constructor(context: CliContext, options: OutputOptions) {
    this.#context = context;
    this.#options = options;
  }

  get page(): Page {
    this.#pages.page ??= this.#pageOf(this.#context.stdout);
    return this.#pages.page;
  }

  /** Of stderr, which is not even opened by a command that says nothing there. */
  get errorPage(): Page {
    this.#pages.errorPage ??= this.#pageOf(this.#context.stderr);
    return this.#pages.errorPage;
  }

  get format(): GlobalOptions["output"] {
    return this.#options.output;
  }

  async result<T>(value: T, rendering: Rendering<T>): Promise<void> {
    switch (this.format) {
      case "json":
        return this.line(JSON.stringify(value, null, 2));
      case "yaml": {
        const { toYaml } = await import("./yaml.ts");
        return this.raw(toYaml(value));
      }
      case "name": {
        const names = clean(rendering.names(value));
        return this.raw(names.map((name) => `${name}\n`).join(""));
      }
      case "text": {
        const text = rendering.text(clean(value), this.page);
        if (!this.#context.stdout.isTTY || this.page.columns === undefined) return this.line(text);
        const { fold } = await import("./fold.ts");
        return this.line(fold(text, this.page.columns));
      }
    }
  }

  /** A line of the result; nothing for an empty text. */
  line(text: string): void {
    if (text !== "") this.raw(`${text}\n`);
  }

  raw(text: string): void {
    if (text !== "") this.#context.stdout.write(text);
  }

  /** For a person, on stderr; silent with --quiet. The text must be clean. */
  note(text: string): void {
    if (!this.#options.quiet) this.#context.stderr.write(`${text}\n`);
  }

  /** As {@link note}, with --verbose only. */
  detail(text: string): void {
    if (this.#options.verbose) this.note(text);
  }

  #pageOf(stream: OutputStream): Page {
    const { env, now } = this.#context;
    return { paint: choosePaint(stream, env, this.#options.noColor), columns: stream.columns, now: now() };
  }

  warn(text: string): void {
    this.#context.stderr.write(`${this.errorPage.paint.yellow("warning:")} ${text}\n`);
  }
}
