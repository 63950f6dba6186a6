import { LOCAL_PRINCIPAL, type Principal } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { projectPlaceCheck } from "./project-places.ts";

const caller: Principal = { id: "key:1", scopes: ["registry:read", "registry:write"] };
const at = (path: string) => ({ name: "local/x", path });
const refusal = { reason: "FORBIDDEN_PATH" };

test("who may not say what is started here has projects below the named folders alone", () => {
  const check = projectPlaceCheck(caller, ["/srv/projects"]);
  expect(() => check?.(at("/srv/projects/one"), undefined)).not.toThrow();
  for (const path of ["/etc", "/srv/projects-of-others", "/srv/projects"])
    expect(() => check?.(at(path), undefined)).toThrow(expect.objectContaining(refusal));
});

test("where no folder is named, he has none", () => {
  expect(() => projectPlaceCheck(caller, [])?.(at("/srv/one"), undefined)).toThrow(
    expect.objectContaining({ ...refusal, hint: expect.stringContaining("CLEVERAGENTS_PROJECT_ROOTS") }),
  );
});

test("a project that is there keeps its folder, and does not get another one", () => {
  const check = projectPlaceCheck(caller, ["/srv/projects"]);
  expect(() => check?.(at("/home/me/one"), at("/home/me/one"))).not.toThrow();
  expect(() => check?.(at("/home/me/two"), at("/home/me/one"))).toThrow(expect.objectContaining(refusal));
});

test("the local user, and whoever may trust programs, names any folder", () => {
  expect(projectPlaceCheck(LOCAL_PRINCIPAL, [])).toBe(undefined);
  expect(projectPlaceCheck({ ...caller, scopes: ["trust:write"] }, [])).toBe(undefined);
});
