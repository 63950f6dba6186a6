import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createPinoLogger, type PinoLoggerOptions } from "./pino-logger.ts";

function open(options: Partial<PinoLoggerOptions> = {}) {
  const written: string[] = [];
  const logger = createPinoLogger({
    level: "debug",
    destination: { write: (line: string) => void written.push(line) },
    ...options,
  });
  return {
    logger,
    written,
    lines: (): Record<string, unknown>[] =>
      written.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("createPinoLogger", () => {
  it("writes one JSON object a line, with level, time and message", () => {
    const { logger, written, lines } = open();
    logger.info({ taskId: "t" }, "task\nstarted");
    expect(written[0]).toMatch(/^\{.*\}\n$/);
    expect(lines()).toEqual([
      { level: "info", time: expect.stringMatching(/^\d{4}-.*Z$/), taskId: "t", msg: "task\nstarted" },
    ]);
  });

  it("leaves out what is below its level", () => {
    const { logger, lines } = open({ level: "warn" });
    for (const level of ["debug", "info", "warn", "error"] as const) logger[level]({}, level);
    expect(lines().map((line) => line["msg"])).toEqual(["warn", "error"]);
    const silent = open({ level: "silent" });
    silent.logger.error({}, "x");
    expect(silent.written).toEqual([]);
  });

  it("writes no credentials, whatever the spelling and however deep", () => {
    const { logger, written } = open({ redact: ["sessionKey"] });
    const secret = "s3cr3t";
    logger.info(
      {
        authorization: secret,
        headers: { "X-API-Key": secret, Cookie: secret, deep: [{ accessToken: secret }] },
        apiKey: secret,
        api_key: secret,
        "session-key": secret,
        password: { nested: secret },
        map: new Map([["token", secret]]),
        DATABASE_URL: secret,
        url: `postgres://user:${secret}@host/db`,
        link: new URL(`https://user:${secret}@host/`),
        note: `sent Bearer ${secret}== to x`,
        err: Object.assign(new Error(`Basic ${secret}`, { cause: { token: secret } }), {
          clientSecret: secret,
        }),
      },
      `failed with Authorization: bearer ${secret}`,
    );
    expect(written.join("")).not.toContain(secret);
    expect(written.join("")).toContain("[redacted]");
  });

  it("keeps what only sounds like a credential", () => {
    const { logger, lines } = open();
    logger.info(
      { tokens: 12, maxTokens: 5, keyCount: 2, bearer: "of news", token: null, url: "http://host:80/a@b" },
      "m",
    );
    expect(lines()[0]).toMatchObject({
      tokens: 12,
      maxTokens: 5,
      keyCount: 2,
      bearer: "of news",
      token: null,
      url: "http://host:80/a@b",
    });
  });

  it("writes errors with their type, stack, fields and cause", () => {
    const { logger, lines } = open();
    logger.error(
      { err: Object.assign(new TypeError("bad", { cause: new Error("why") }), { code: "E1" }) },
      "failed",
    );
    expect(lines()[0]?.["err"]).toMatchObject({
      type: "TypeError",
      message: "bad",
      code: "E1",
      stack: expect.stringContaining("TypeError: bad"),
      cause: { message: "why" },
    });
  });

  it("is never the reason why something fails", () => {
    const { logger, lines } = open();
    const circular: Record<string, unknown> = {
      big: 1n,
      bytes: Buffer.from("abc"),
      fn: () => 1,
      at: new Date(Number.NaN),
    };
    circular["self"] = circular;
    Object.defineProperty(circular, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("unreadable");
      },
    });
    logger.info(circular, "m");
    expect(lines()[0]).toMatchObject({
      self: "[circular]",
      bad: "[unreadable]",
      big: "1",
      bytes: "[3 bytes]",
      at: null,
    });
  });

  it("writes to a file descriptor at once", () => {
    const directory = mkdtempSync(path.join(tmpdir(), "log-"));
    const file = path.join(directory, "log");
    const fd = openSync(file, "w");
    createPinoLogger({ level: "info", destination: fd }).info({}, "there");
    expect(readFileSync(file, "utf8")).toContain('"msg":"there"');
    closeSync(fd);
    rmSync(directory, { recursive: true });
  });
});

it.skipIf(!existsSync("/dev/full"))("a log that cannot be written, as on a full disk, throws nothing", () => {
  const fd = openSync("/dev/full", "a");
  try {
    const logger = createPinoLogger({ level: "info", destination: fd });
    for (let n = 0; n < 3000; n += 1) logger.error({ n, text: "x".repeat(1000) }, "the disk is full");
  } finally {
    closeSync(fd);
  }
});
