import { expect, test } from "vitest";
import { REDACTED, SecretRedactor, secretsOf } from "./secret-redactor.ts";

const SECRET = "s3cr3t-value-0815";

function through(pieces: readonly string[], secrets: readonly string[] = [SECRET]): string {
  const redactor = new SecretRedactor(secrets);
  return pieces.map((piece) => redactor.push(piece)).join("") + redactor.end();
}

test("a secret is taken out wherever the text was cut", () => {
  const text = `a ${SECRET} b ${SECRET}${SECRET} s3cr3t-val`;
  const expected = `a ${REDACTED} b ${REDACTED}${REDACTED} s3cr3t-val`;
  for (let at = 0; at <= text.length; at += 1)
    expect(through([text.slice(0, at), text.slice(at)]), String(at)).toBe(expected);
  expect(through([...text])).toBe(expected);
});

test("of two secrets of which one begins the other, the longer one goes", () => {
  expect(
    through(
      [..."x longer-secret-key y longer-secret z"],
      secretsOf({ A_TOKEN: "longer-secret", B_TOKEN: "longer-secret-key" }),
    ),
  ).toBe(`x ${REDACTED} y ${REDACTED} z`);
});

test("a secret that ends as another begins is taken out whole", () => {
  expect(through([..."abcdefghij!"], ["abcdefgh", "ghijklmn"])).toBe(`${REDACTED}ij!`);
});

test("nothing is held back of text that no secret begins with", () => {
  const redactor = new SecretRedactor([SECRET]);
  expect(redactor.push("hello ")).toBe("hello ");
  expect(redactor.push("s3cr")).toBe("");
  expect(redactor.push("x")).toBe("s3crx");
});

test("secret is what a name says, or an address holds; short values are not", () => {
  expect(
    secretsOf({
      GITHUB_TOKEN: "ghp_12345678",
      MY_PASSWORD: "hunter22",
      AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI",
      DATABASE_URL: "postgres://me:pass-word-1@host/db",
      KEYBOARD: "qwertyuiop",
      PATH: "/usr/bin:/bin",
      SHORT_TOKEN: "true",
    }).sort(),
  ).toEqual(["ghp_12345678", "hunter22", "pass-word-1", "wJalrXUtnFEMI"]);
});
