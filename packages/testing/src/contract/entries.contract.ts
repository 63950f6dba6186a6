import { afterAll, beforeAll } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { entrySuite } from "./entries/entry-suite.ts";
import { projectUpdates } from "./entries/project.ts";
import { resourceLinks } from "./entries/resource.ts";
import { toolDocuments, writtenDocuments } from "./entries/tool.ts";

const SAY = "script: { steps: [{ say: { text: hello } }, { run: { command: [echo, hi] }, name: ran }] }";
const called = (name: string, n: number) => `name: ${name}\ndescription: the ${n}.`;

/** What every kind of registered things has in common, kind by kind. Entries are everybody's: names are each test's own. */
export function entriesContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;
  const call = (method: string, document: string) => (w: World) =>
    w.client.call(method as "_cleveragents/registry/skill/add", { document, update: true });

  entrySuite("action", ["update", "remove"], world, {
    plural: "actions",
    field: "action",
    text: (name, n = 1) => `${called(name, n)}\ndefinition_of_done: it was said\n${SAY}`,
    async used(w, name) {
      const validation = "name: suite/of-action\ndescription: x\ncommand: 'true'";
      await call("_cleveragents/registry/validation/add", validation)(w);
      await w.client.call("_cleveragents/registry/validation/attach", {
        validation: "suite/of-action",
        action: name,
      });
      return `its attachment to the action ${name}`;
    },
  });
  entrySuite("actor", ["update", "remove"], world, {
    plural: "actors",
    field: "actor",
    text: (name, n = 1) => `${called(name, n)}\ntype: script\n${SAY}`,
    async used(w, name) {
      await call(
        "_cleveragents/registry/action/add",
        `name: suite/by-actor\ndescription: x\ndefinition_of_done: y\nexecution_actor: ${name}`,
      )(w);
      return "the action suite/by-actor";
    },
  });
  entrySuite("project", ["remove"], world, {
    plural: "projects",
    field: "project",
    text: (name, n = 1) => `${called(name, n)}\npath: ${shared.repository.root}`,
    async used(w, name) {
      const validation = "name: suite/of-project\ndescription: x\ncommand: 'true'";
      await call("_cleveragents/registry/validation/add", validation)(w);
      await w.client.call("_cleveragents/registry/validation/attach", {
        validation: "suite/of-project",
        project: name,
      });
      return `its attachment to the project ${name}`;
    },
  });
  projectUpdates(world);
  entrySuite("validation", ["update"], world, {
    plural: "validations",
    field: "validation",
    text: (name, n = 1) => `${called(name, n)}\ncommand: 'true'`,
  });
  entrySuite("tool", ["show", "add", "update", "remove"], world, {
    plural: "tools",
    field: "tool",
    text: (name, n = 1) =>
      `${called(name, n)}\ncommand: [wc, -l, "{{ args.path }}"]\ninput_schema: { type: object, properties: { path: { type: string } }, required: [path] }\nread_only: true`,
    dangling: {
      text: (name) => `${called(name, 1)}\ncommand: [echo]\nresources: { db: { type: nope/nope } }`,
      reason: "RESOURCE_TYPE_NOT_FOUND",
    },
    async used(w, name) {
      await call("_cleveragents/registry/skill/add", `name: suite/by-tool\ntools: [${name}]`)(w);
      return "the skill suite/by-tool";
    },
  });
  toolDocuments(world);
  writtenDocuments(world);
  entrySuite("skill", ["list", "show", "add", "update", "remove"], world, {
    plural: "skills",
    field: "skill",
    text: (name, n = 1) =>
      `${called(name, n)}\ntools: [builtin/read_file]\nbuiltins: [{ group: file_operations }]`,
    dangling: {
      text: (name) => `${called(name, 1)}\nincludes: [nope/nope]`,
      reason: "SKILL_NOT_FOUND",
    },
    async used(w, name) {
      await call(
        "_cleveragents/registry/skill/add",
        `name: suite/by-skill\nincludes: [{ name: ${name} }]`,
      )(w);
      return "the skill suite/by-skill";
    },
  });
  entrySuite("mcp", ["list", "show", "add", "update", "remove"], world, {
    plural: "mcp_servers",
    field: "mcp_server",
    text: (name, n = 1) => `${called(name, n)}\ntransport: stdio\ncommand: node\nargs: ["server.js"]`,
    async used(w, name) {
      await call("_cleveragents/registry/skill/add", `name: suite/by-mcp\nmcp_servers: [${name}]`)(w);
      return "the skill suite/by-mcp";
    },
  });
  entrySuite("lsp", ["list", "show", "add", "update", "remove"], world, {
    plural: "lsp_servers",
    field: "lsp_server",
    text: (name, n = 1) =>
      `${called(name, n)}\nlanguage: python\ncommand: pyright-langserver\nargs: ["--stdio"]`,
  });
  entrySuite("resource", ["list", "show", "add", "update", "remove"], world, {
    plural: "resources",
    field: "resource",
    text: (name, n = 1) => `${called(name, n)}\ntype: fs-directory\narguments: { path: /srv/data }`,
    dangling: {
      text: (name) => `${called(name, 1)}\ntype: nope/nope`,
      reason: "RESOURCE_TYPE_NOT_FOUND",
    },
    async used(w, name) {
      await call(
        "_cleveragents/registry/resource/add",
        `name: suite/part\ntype: fs-directory\narguments: { path: /srv/data/part }\nparents: [${name}]`,
      )(w);
      return "the resource suite/part";
    },
  });
  resourceLinks(world);
  entrySuite("resource_type", ["list", "show", "add", "update", "remove"], world, {
    plural: "resource_types",
    field: "resource_type",
    text: (name, n = 1) =>
      `${called(name, n)}\nclassification: virtual\ncli_args: [{ name: region, required: true }]`,
    dangling: {
      text: (name) => `${called(name, 1)}\ninherits: nope/nope`,
      reason: "RESOURCE_TYPE_NOT_FOUND",
    },
    async used(w, name) {
      await call(
        "_cleveragents/registry/resource/add",
        `name: suite/of-type\ntype: ${name}\narguments: { region: eu }`,
      )(w);
      return "the resource suite/of-type";
    },
  });
}
