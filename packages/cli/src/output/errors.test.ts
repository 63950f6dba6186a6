import { TransportError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { FakeCli, Refusal } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const STATUS = "_cleveragents/plan/status";

async function failing(refusal: Refusal | Error, ...flags: string[]) {
  const cli = new FakeCli({ calls: { [STATUS]: () => refusal } });
  return { code: await cli.run("plan", "status", PLAN_ID, ...flags), stdout: cli.stdout, stderr: cli.stderr };
}

describe("an error", () => {
  const notFound = new Refusal(-32001, "Plan not found", {
    reason: "PLAN_NOT_FOUND",
    plan_id: "x",
    request_id: "r1",
  });

  test("is told on stderr as text, and stdout stays empty", async () => {
    expect(await failing(notFound)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: Plan not found\n  x\nhint: agents plan list shows your plans; parts of ids need six characters\n",
    });
  });

  test("names what was not found, and adds to a hint of the peer's what is known here", async () => {
    const { stderr } = await failing(
      new Refusal(-32001, "Plan not found", {
        reason: "PLAN_NOT_FOUND",
        plan_id: "7K3M",
        hint: "agents plan list shows your plans",
      }),
    );
    expect(stderr).toBe(
      "error: Plan not found\n  7K3M\nhint: agents plan list shows your plans; parts of ids need six characters\n",
    );
  });

  test("is also the one document on stdout with -o json", async () => {
    const { code, stdout, stderr } = await failing(notFound, "-o", "json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "PLAN_NOT_FOUND",
        message: "Plan not found",
        hint: "agents plan list shows your plans; parts of ids need six characters",
        a2aCode: -32001,
        data: { reason: "PLAN_NOT_FOUND", plan_id: "x", request_id: "r1" },
      },
    });
    expect(stderr).toMatch(/^error: Plan not found\n/);
  });

  test("is the last of the JSON lines with --stream", async () => {
    const cli = new FakeCli({ calls: { [STATUS]: () => notFound }, streams: [[notFound]] });
    expect(await cli.run("plan", "watch", PLAN_ID, "--stream", "-o", "json")).toBe(1);
    expect(cli.stdout.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(cli.stdout)).toMatchObject({ error: { code: "PLAN_NOT_FOUND" } });
  });

  test("is YAML on stdout with -o yaml", async () => {
    expect((await failing(notFound, "-o", "yaml")).stdout).toMatch(
      /^error:\n {2}code: PLAN_NOT_FOUND\n {2}message: Plan not found\n/,
    );
  });

  test("in the usage is JSON as well, however -o was written", async () => {
    for (const output of [["-o", "json"], ["-ojson"], ["--output=json"], ["--output", "json"]]) {
      const cli = new FakeCli();
      expect(await cli.run("plan", "lsit", ...output)).toBe(2);
      expect(JSON.parse(cli.stdout)).toMatchObject({
        error: { code: "USAGE", hint: "did you mean agents plan list?" },
      });
    }
  });

  test("keeps the peer's own hint", async () => {
    const refusal = new Refusal(-32004, "no", { reason: "INVALID_STATE", hint: "agents plan execute X" });
    expect((await failing(refusal)).stderr).toBe("error: no\nhint: agents plan execute X\n");
  });

  test("from a peer cannot steer the terminal", async () => {
    expect(
      (await failing(new Refusal(-32004, "a\u001b[2Jb\u0007", { reason: "INVALID_STATE" }))).stderr,
    ).toBe("error: a\\x1b[2Jb\\x07\n");
  });

  test("of the server itself names the request to quote", async () => {
    const refusal = new Refusal(-32603, "Internal error", { reason: "INTERNAL_ERROR", request_id: "r-7" });
    expect((await failing(refusal)).stderr).toContain("  request id r-7\n");
  });

  test("about a merge lists the files, and why each does not go together", async () => {
    const files = [{ path: "b.txt", why: "it was made by the plan and in the project, differently" }];
    const { stderr } = await failing(
      new Refusal(-32004, "They do not go together", { reason: "MERGE_CONFLICT", files }),
    );
    expect(stderr).toContain("\n  b.txt  it was made by the plan and in the project, differently\n");
  });

  test("about drift lists the files", async () => {
    const files = [{ path: "src/a.ts", expected: "sha256:91ab0011223344", found: null }];
    const { code, stderr } = await failing(
      new Refusal(-32004, "Files changed", { reason: "PLAN_BASE_DRIFT", files }),
    );
    expect(code).toBe(13);
    expect(stderr).toBe("error: Files changed\n  src/a.ts  expected 91ab0011  found nothing\n");
  });

  test("about parameters lists the fields", async () => {
    const details = [
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "arguments.n", description: "not an integer" }],
      },
    ];
    const { code, stderr } = await failing(
      new Refusal(-32602, "Invalid parameters", { reason: "INVALID_PARAMS", details }),
    );
    expect(code).toBe(2);
    expect(stderr).toBe("error: Invalid parameters\n  arguments.n: not an integer\n");
  });
});

describe("the exit code of", () => {
  test.each([
    ["PLAN_NOT_FOUND", 1],
    ["ALREADY_EXISTS", 1],
    ["INVALID_STATE", 1],
    ["INTERNAL_ERROR", 1],
    ["constructor", 1],
    ["SHUTTING_DOWN", 3],
    ["AUTHENTICATION_REQUIRED", 4],
    ["PERMISSION_DENIED", 4],
    ["TIMEOUT", 5],
    ["PLAN_FAILED", 12],
    ["DIGEST_MISMATCH", 13],
    ["PLAN_BASE_DRIFT", 13],
    ["CHANGESET_REFUSED", 13],
    ["BUDGET_EXCEEDED", 14],
  ])("%s is %i", async (reason, expected) => {
    expect((await failing(new Refusal(-32004, "no", { reason }))).code).toBe(expected);
  });

  test("invalid parameters is 2, whatever the reason says more", async () => {
    for (const reason of ["INVALID_PARAMS", "ARGUMENTS_INVALID", "PROJECT_REQUIRED"]) {
      expect((await failing(new Refusal(-32602, "no", { reason }))).code).toBe(2);
    }
  });

  test.each([
    ["NOT_CONNECTED", 3],
    ["CONNECTION_LOST", 3],
    ["UNAUTHORIZED", 4],
    ["TIMEOUT", 5],
    ["BAD_RESPONSE", 1],
    ["ABORTED", 130],
  ] as const)("a transport's %s is %i", async (reason, expected) => {
    expect((await failing(new TransportError(reason, "no"))).code).toBe(expected);
  });

  test("an agent that cannot be reached is 3, with a hint", async () => {
    const cli = new FakeCli({ connect: () => new TransportError("NOT_CONNECTED", "nobody is there") });
    expect(await cli.run("health", "check")).toBe(3);
    expect(cli.stderr).toBe(
      "error: nobody is there\nhint: is the server running, and is the address right? agents help connection\n",
    );
  });
});

describe("what stands between this command and a server", () => {
  const at = "no safe connection to https://agents.example/a2a";
  const hintOf = async (message: string, env: Record<string, string> = {}) => {
    const cli = new FakeCli({ env, connect: () => new TransportError("NOT_CONNECTED", message) });
    expect(await cli.run("health", "check")).toBe(3);
    return cli.stderr;
  };

  test.each([
    ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS=/path/ca.pem"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS=/path/ca.pem"],
    ["CERT_HAS_EXPIRED", "is this machine's clock right?"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "does the server speak https?"],
  ])("a certificate has a hint of its own: %s", async (code, hint) => {
    expect(await hintOf(`${at} (${code})`)).toContain(hint);
  });

  test("a proxy is named where nobody answers", async () => {
    const nobody = "cannot reach https://agents.example/a2a (ECONNREFUSED)";
    expect(await hintOf(nobody, { HTTPS_PROXY: "http://proxy:3128" })).toContain(
      "requests go through HTTPS_PROXY",
    );
    expect(await hintOf(nobody)).not.toContain("PROXY");
  });
});

test("a message that ends with its only problem says it once", async () => {
  const problem = { field: "scopes.0", description: "must be one of a, b" };
  const details = [{ fieldViolations: [problem] }];
  const message = "Invalid parameters: scopes.0: must be one of a, b";
  const refusal = new Refusal(-32602, message, { reason: "INVALID_PARAMS", details });
  const cli = new FakeCli({ calls: { "_cleveragents/plan/list": refusal } });
  expect(await cli.run("plan", "list")).toBe(2);
  expect(cli.stderr).toBe("error: Invalid parameters\n  scopes.0: must be one of a, b\n");
});

test("an argument that is missing is told with the flag that gives it", async () => {
  const details = [{ fieldViolations: [{ field: "arguments.who", description: "required" }] }];
  const hint = "agents action show local/fix lists its arguments";
  const refusal = new Refusal(-32602, "Invalid parameters", { reason: "ARGUMENTS_INVALID", details, hint });
  const cli = new FakeCli({ calls: { "_cleveragents/plan/use": refusal } });
  expect(await cli.run("plan", "use", "fix")).toBe(2);
  expect(cli.stderr).toContain(`hint: --arg who=VALUE; ${hint}\n`);
});

test("problems of a document are lines that editors and CI find", async () => {
  const fieldViolations = [
    { field: "script.steps.2.write", description: "path is required", file: "fix.yaml", line: 14, column: 5 },
    { field: "", description: "unknown key `foo`", file: "fix.yaml" },
  ];
  const message = "fix.yaml:14: script.steps.2.write: path is required\nfix.yaml: unknown key `foo`";
  const details = [{ fieldViolations }];
  const refusal = new Refusal(-32602, message, { reason: "DOCUMENT_INVALID", details });
  const cli = new FakeCli({
    files: { "fix.yaml": "a: 1" },
    calls: { "_cleveragents/registry/action/add": () => refusal },
  });
  expect(await cli.run("action", "add", "fix.yaml")).toBe(2);
  expect(cli.stderr).toBe(
    "error: 2 problems:\nfix.yaml:14: script.steps.2.write: path is required\nfix.yaml: unknown key `foo`\n",
  );
});
