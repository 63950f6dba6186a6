import { expect, test } from "vitest";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { failureOf, toStorageError } from "./failure.ts";

const withCode = (code: string) => Object.assign(new Error("of the server or the system"), { code });

test.each([
  ["a connection that the system reports as broken", withCode("ECONNRESET"), "lost"],
  ["a name that cannot be looked up just now", withCode("EAI_AGAIN"), "lost"],
  ["a server that shuts down", withCode("57P01"), "lost"],
  ["a server that has no connection left", withCode("53300"), "lost"],
  ["a standby", withCode("25006"), "lost"],
  ["the driver's own word for it", new Error("Connection terminated unexpectedly"), "lost"],
  ["a deadlock", withCode("40P01"), "undone"],
  ["a statement that took too long", withCode("57014"), "slow"],
  ["a full disk of the server", withCode("53100"), "exhausted"],
  ["a wrong password", withCode("28P01"), "refused"],
  ["a constraint", withCode("23505"), "other"],
  ["a mistake of ours", new TypeError("x is not a function"), "other"],
  ["a store that was closed", new StoreClosedError(), "other"],
])("%s", (_, error, failure) => {
  expect(failureOf(error)).toBe(failure);
});

test("a database that is not there is told apart from a user who may not enter", () => {
  const told = (code: string) => String(toStorageError(withCode(code), "db:5432/agents"));
  expect(told("3D000")).toContain("db:5432/agents: there is no such database");
  expect(told("28P01")).toContain("db:5432/agents: the database refuses this user");
});
