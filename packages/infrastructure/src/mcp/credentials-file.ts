import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "@cleveragents/application";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** What was agreed on for one server: who we are there, and what we may use it with. */
export interface McpCredentials {
  /** Of the server that they are for; for another one of the same name they are none. */
  readonly url: string;
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation & { readonly redirect_uri?: string };
  /** What the server has wanted since, beyond what was agreed to. */
  readonly wanted?: string;
  /** Where tokens are given, as it was found at the login. */
  readonly discovery?: OAuthDiscoveryState;
}

/**
 * Tokens of MCP servers, by name, in a file that only its user can read. Changes are made one after the other; after a
 * crash it holds the old text or the new one.
 */
export class CredentialsFile {
  readonly #file: string;
  readonly #logger: Logger;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: { readonly file: string; readonly logger: Logger }) {
    this.#file = deps.file;
    this.#logger = deps.logger;
  }

  async find(server: string, url: string): Promise<McpCredentials | undefined> {
    // What is being written counts.
    await this.#last;
    const found = (await this.#readAsFarAsItGoes())[server];
    return found?.url === url ? found : undefined;
  }

  async change(
    server: string,
    url: string,
    change: (known: McpCredentials) => McpCredentials | undefined,
  ): Promise<void> {
    await this.#inTurn(async () => {
      const all = await this.#read();
      const known = all[server]?.url === url ? all[server] : { url };
      const { [server]: _, ...others } = all;
      const next = change(known);
      await this.#write(next === undefined ? others : { ...others, [server]: next });
    });
  }

  /** Whether there was something to forget. */
  async forget(server: string): Promise<boolean> {
    return await this.#inTurn(async () => {
      const { [server]: found, ...others } = await this.#read();
      if (found !== undefined) await this.#write(others);
      return found !== undefined;
    });
  }

  /** Throws where there is something that cannot be read: what is put in its place would lose the others. */
  async #read(): Promise<Record<string, McpCredentials>> {
    let text: string;
    try {
      text = await readFile(this.#file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
      throw unusable("read", error);
    }
    try {
      return JSON.parse(text) as Record<string, McpCredentials>;
    } catch {
      // Without the parser's words: they quote the text, which holds secrets.
      throw new Error("the credentials of MCP servers cannot be read: their file is no JSON");
    }
  }

  async #readAsFarAsItGoes(): Promise<Record<string, McpCredentials>> {
    try {
      return await this.#read();
    } catch {
      this.#logger.warn({ file: path.basename(this.#file) }, "the credentials of MCP servers cannot be read");
      return {};
    }
  }

  async #write(all: Record<string, McpCredentials>): Promise<void> {
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const fresh = `${this.#file}.new`;
      {
        await using handle = await open(fresh, "w", 0o600);
        await handle.chmod(0o600);
        await handle.writeFile(`${JSON.stringify(all, null, 2)}\n`);
        await handle.sync();
      }
      await rename(fresh, this.#file);
    } catch (error) {
      throw unusable("written", error);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Without the system's words, which name the file's place: whoever logs in may be somebody elsewhere. */
function unusable(how: "read" | "written", cause: unknown): Error {
  const { code = "unknown" } = cause as NodeJS.ErrnoException;
  return new Error(`the credentials of MCP servers cannot be ${how} (${code})`, { cause });
}
