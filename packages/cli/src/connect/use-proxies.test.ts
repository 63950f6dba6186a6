import { expect, test } from "vitest";
import { proxyEnvironment, proxyVariable } from "./use-proxies.ts";

test("a proxy of the environment is gone by, unless Node does so already", () => {
  expect(proxyVariable({})).toBe(undefined);
  expect(proxyVariable({ HTTPS_PROXY: "" })).toBe(undefined);
  expect(proxyVariable({ https_proxy: "http://proxy:3128" })).toBe("https_proxy");
  expect(proxyVariable({ HTTPS_PROXY: "http://proxy:3128", NODE_USE_ENV_PROXY: "1" })).toBe(undefined);
});

test("this machine is reached directly, beside what else is", () => {
  expect(proxyEnvironment({ NO_PROXY: "intern.example" })).toMatchObject({
    no_proxy: "intern.example,localhost,127.0.0.1,::1",
    NO_PROXY: "intern.example,localhost,127.0.0.1,::1",
  });
});
