import type {
  DidChangeWatchedFilesRegistrationOptions,
  Registration,
  Unregistration,
} from "vscode-languageserver-protocol/node";
import { fileOf } from "./file-uri.ts";
import { globPattern } from "./glob.ts";

const WATCHED_FILES = "workspace/didChangeWatchedFiles";
/** Bits of `WatchKind`, by `FileChangeType`. */
const KINDS = { 1: 1, 2: 2, 3: 4 } as const;
export type ChangeType = keyof typeof KINDS;

/** What a server has asked for since it was started, by the ids that it gave. */
export class Registrations {
  readonly #byId = new Map<string, Registration>();
  readonly #waiting = new Set<() => void>();

  add(registrations: readonly Registration[]): void {
    for (const registration of registrations) this.#byId.set(registration.id, registration);
    for (const wake of [...this.#waiting]) wake();
  }

  /** Settles once a method is registered; never, if it is not before the signal fires. */
  async added(method: string, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.has(method)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      signal.addEventListener("abort", () => this.#waiting.delete(look), { once: true });
      look();
    });
  }

  /** Those that are named, and no others of their methods. */
  remove(unregistrations: readonly Unregistration[]): void {
    for (const { id } of unregistrations) this.#byId.delete(id);
  }

  has(method: string): boolean {
    return [...this.#byId.values()].some((registration) => registration.method === method);
  }

  optionsOf<T>(method: string): T | undefined {
    return [...this.#byId.values()].find((registration) => registration.method === method)?.registerOptions as
      | T
      | undefined; // as the protocol says for the method
  }

  /**
   * Whether it wants to hear of a change of a file, by its absolute path as the server sees it and the one in its folder;
   * true for all where it said nothing.
   */
  wants(file: string, inFolder: string, type: ChangeType): boolean {
    const registered = [...this.#byId.values()].filter(({ method }) => method === WATCHED_FILES);
    if (registered.length === 0) return true;
    return registered.some(({ registerOptions }) =>
      ((registerOptions as DidChangeWatchedFilesRegistrationOptions | undefined)?.watchers ?? []).some(
        ({ globPattern: pattern, kind = 7 }) => {
          if ((kind & KINDS[type]) === 0) return false;
          if (typeof pattern === "string") {
            const matches = globPattern(pattern);
            return [file, file.slice(1), inFolder].some((name) => matches.test(name));
          }
          const base = typeof pattern.baseUri === "string" ? pattern.baseUri : pattern.baseUri.uri;
          const folder = fileOf(base);
          return (
            folder !== undefined &&
            file.startsWith(`${folder}/`) &&
            globPattern(pattern.pattern).test(file.slice(folder.length + 1))
          );
        },
      ),
    );
  }
}
