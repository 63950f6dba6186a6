import { RegistryService, type ToolRunner, type Workspace } from "@cleveragents/application";
import { SystemClock } from "@cleveragents/infrastructure/clock";
import { InMemoryRegistryStore } from "@cleveragents/infrastructure/memory";
import { YamlDocumentReader } from "@cleveragents/infrastructure/yaml";
import { LOCAL_PRINCIPAL, type Principal } from "@cleveragents/protocol";
import { expect, test } from "vitest";

const CALLER: Principal = { id: "key:1", scopes: ["registry:read", "registry:write"] };
const refusal = { reason: "FORBIDDEN_PATH" };

/** The folder that a project is found to be of, as behind a link. */
const registryWhere = (root: (path: string) => string) =>
  new RegistryService({
    registry: new InMemoryRegistryStore(),
    documents: new YamlDocumentReader({ env: {} }),
    workspace: { inspect: async (path: string) => ({ root: root(path) }) } as unknown as Workspace,
    tools: { refresh: async () => undefined, list: () => [], find: () => undefined } as unknown as ToolRunner,
    clock: new SystemClock(),
    projectRoots: ["/srv/projects"],
  });
const project = (path: string) => ({ value: { name: "one", path } });

test("a caller's project is registered and moved below the folders that the operator has named alone", async () => {
  const service = registryWhere((path) => path);
  await expect(service.add(CALLER, "project", project("/etc"))).rejects.toMatchObject(refusal);
  await service.add(CALLER, "project", project("/srv/projects/one"));
  await expect(service.update(CALLER, "project", project("/etc"), {})).rejects.toMatchObject(refusal);
  await expect(service.add(CALLER, "project", project("/etc"), { update: true })).rejects.toMatchObject(
    refusal,
  );
  expect((await service.find("project", "one")).entry.document["path"]).toBe("/srv/projects/one");
  await service.update(LOCAL_PRINCIPAL, "project", project("/home/me/one"), {});
  await service.update(CALLER, "project", project("/home/me/one"), {});
});

test("a link, or a repository around the folder, does not lead out of them", async () => {
  const service = registryWhere(() => "/home/me");
  await expect(service.add(CALLER, "project", project("/srv/projects/link"))).rejects.toMatchObject(refusal);
});
