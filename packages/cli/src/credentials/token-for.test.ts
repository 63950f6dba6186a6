import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { exclusively } from "../config/exclusively.ts";
import { writePrivate } from "../config/write-private.ts";
import { TOKEN_URL } from "../testing/issuer.ts";
import type { Credential } from "./credential.ts";
import { type CredentialContext, keepCredential, readCredentials } from "./credential-file.ts";
import { tokenFor } from "./token-for.ts";

const NOW = Date.parse("2026-07-01T12:00:00Z");
const PLACE = "https://agent.example/card";
const ENDED: Credential = {
  kind: "oauth",
  flow: "device",
  access_token: "t-0",
  refresh_token: "r-0",
  expires_at: NOW - 1000,
  token_endpoint: TOKEN_URL,
  client_id: "cli",
};

/** A home of its own, an issuer that takes each refresh token once, and commands of several processes. */
class Home implements AsyncDisposable {
  readonly dir: string;
  /** Refresh tokens that came. */
  readonly came: string[] = [];
  answers: Promise<void> | undefined;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async open(credential: Credential = ENDED): Promise<Home> {
    const home = new Home(await mkdtemp(join(tmpdir(), "cli-token-")));
    await keepCredential(home.command(), PLACE, credential);
    return home;
  }

  command(): CredentialContext & Parameters<typeof tokenFor>[0] {
    return {
      env: {},
      home: this.dir,
      readFile: (path) => readFile(path, "utf8"),
      fileMode: (path) =>
        stat(path).then(
          ({ mode }) => mode & 0o777,
          () => undefined,
        ),
      writePrivate,
      exclusively,
      now: () => NOW,
      fetch: async (input, init) => {
        const form = new URLSearchParams(await new Request(input, init).text());
        const token = form.get("refresh_token") ?? "";
        const isFirst = !this.came.includes(token);
        this.came.push(token);
        await this.answers;
        if (!isFirst) return Response.json({ error: "invalid_grant" }, { status: 400 });
        const n = this.came.length;
        return Response.json({
          access_token: `t-${n}`,
          refresh_token: `r-${n}`,
          token_type: "bearer",
          expires_in: 3600,
        });
      },
    };
  }

  token(): Promise<string | undefined> {
    return tokenFor(this.command(), { address: PLACE, login: "agents login" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true });
  }
}

test("two commands that find a token at its end renew it once, and both go on with the new one", async () => {
  await using home = await Home.open();
  expect(await Promise.all([home.token(), home.token(), home.token()])).toEqual(["t-1", "t-1", "t-1"]);
  expect(home.came).toEqual(["r-0"]);
  expect(await readCredentials(home.command())).toMatchObject({ [PLACE]: { refresh_token: "r-1" } });
});

test("a sign-in at another place that is kept meanwhile stays, and so does what was renewed", async () => {
  await using home = await Home.open();
  const issuer = Promise.withResolvers<void>();
  home.answers = issuer.promise;
  const renewing = home.token();
  await expect.poll(() => home.came).toEqual(["r-0"]);
  const other = { kind: "token", token: "k" } as const;
  const keeping = keepCredential(home.command(), "https://other.example/a2a", other);
  issuer.resolve();
  await Promise.all([renewing, keeping]);
  expect(await readCredentials(home.command())).toMatchObject({
    [PLACE]: { access_token: "t-1" },
    "https://other.example/a2a": other,
  });
});

test("a sign-out while somebody renews leaves no sign-in behind", async () => {
  await using home = await Home.open();
  const issuer = Promise.withResolvers<void>();
  home.answers = issuer.promise;
  const renewing = home.token();
  await expect.poll(() => home.came).toEqual(["r-0"]);
  const leaving = keepCredential(home.command(), PLACE, undefined);
  // It has to wait; if it did not, it would be over by then.
  await Promise.race([leaving, delay(100)]);
  issuer.resolve();
  expect(await Promise.all([renewing, leaving])).toEqual(["t-1", true]);
  expect(await readCredentials(home.command())).toEqual({});
});

test("a token that still holds is used where the issuer gives no other one", async () => {
  await using home = await Home.open({ ...ENDED, expires_at: NOW + 30_000 });
  home.came.push("r-0");
  expect(await home.token()).toBe("t-0");
  await keepCredential(home.command(), PLACE, ENDED);
  await expect(home.token()).rejects.toMatchObject({ code: "TOKEN_EXPIRED", exitCode: 4 });
});

test("whoever holds the file for too long is told of, and the lock is nobody's else to hold", async () => {
  await using home = await Home.open();
  const file = join(home.dir, "held");
  const held = Promise.withResolvers<void>();
  const holding = exclusively(file, () => held.promise);
  await expect.poll(() => stat(`${file}.lock`).then(({ mode }) => mode & 0o777)).toBe(0o600);
  await expect(exclusively(file, async () => {}, 0)).rejects.toMatchObject({
    code: "FILE_BUSY",
    exitCode: 5,
  });
  held.resolve();
  await holding;
  expect(await exclusively(file, async () => "mine", 0)).toBe("mine");
});
