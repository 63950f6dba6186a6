import {
  type Action,
  ActionSchema,
  BUILTIN_RESOURCE_TYPES,
  bindResource,
  canonicalName,
  DocumentError,
  type DocumentProblem,
  HISTORY_ESTIMATOR,
  type JsonObject,
  LspServerSchema,
  McpServerSchema,
  type Project,
  type ProjectDocument,
  ProjectSchema,
  probeFrom,
  type RegistryKind,
  ResourceSchema,
  type ResourceType,
  ResourceTypeSchema,
  SkillRegistrationSchema,
  ToolSchema,
  ValidationSchema,
  withInherited,
} from "@cleveragents/domain";
import { z } from "zod";
import type { RegistryStore } from "../../ports/registry-store.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { withAbsoluteFolders } from "../../skills/absolute-folders.ts";
import type { ToolRunner } from "../../tools/tool-runner.ts";
import { compact } from "../../wire/message.ts";
import { checkProbes, probesOf } from "../probe-check.ts";
import { checkExpressions, checkTemplates } from "../script-check.ts";
import { ActorDocumentSchema } from "./actor-document.ts";
import { type EntryKind, entryKind } from "./entry-kind.ts";
import { graphDocumentProblems, graphReferences } from "./graph-document.ts";
import { listed, named, toolsOfScript } from "./references.ts";
import { writtenScript } from "./written-script.ts";

export interface EntryKindDeps {
  readonly registry: Pick<RegistryStore, "find">;
  readonly tools: Pick<ToolRunner, "find" | "refresh">;
  readonly workspace: Pick<Workspace, "inspect">;
  /** Why a JSON Schema cannot be used, if it cannot. */
  readonly jsonSchemaProblem?: ((schema: JsonObject) => Promise<string | undefined>) | undefined;
}

/** Every kind of what can be registered, and those that only refer to others. A kind is its schema and its references. */
export function entryKinds(deps: EntryKindDeps): readonly EntryKind[] {
  return [
    actionKind(deps),
    entryKind({
      kind: "actor",
      schema: ActorDocumentSchema,
      prepare: async (document) => ({
        document,
        problems:
          document.type === "graph"
            ? await graphDocumentProblems(deps.registry, document)
            : problemsIn(() => {
                if (document.type === "script") checkExpressions("", document.script);
                if (document.type === "tool") checkTemplates("", "arguments", document.arguments);
              }),
      }),
      references: (document) => [
        ...toolsOfScript(document),
        ...graphReferences(document),
        ...listed(document, "tools", "tool", { unchecked: true }),
        ...(document["type"] === "tool" ? named(document, "tool", "tool", { unchecked: true }) : []),
        ...listed(document, "skills", "skill", { unchecked: true }),
      ],
      written: writtenScript,
    }),
    validationKind(deps),
    projectKind(deps),
    entryKind({
      kind: "tool",
      schema: ToolSchema,
      async prepare(document) {
        const problems: DocumentProblem[] = [];
        for (const path of ["input_schema", "output_schema"] as const) {
          const schema = document[path] as JsonObject | undefined;
          const problem = schema && (await deps.jsonSchemaProblem?.(schema));
          if (problem !== undefined) problems.push({ path, problem });
        }
        return { document, problems };
      },
      references: (document) =>
        Object.entries((document["resources"] ?? {}) as Record<string, JsonObject>).map(([slot, of]) => ({
          path: `resources.${slot}.type`,
          kind: "resource_type" as const,
          name: String(of["type"]),
        })),
    }),
    entryKind({
      kind: "skill",
      schema: SkillRegistrationSchema,
      async prepare(document, file) {
        const found = withAbsoluteFolders(document, file);
        const problems: DocumentProblem[] = [...found.problems];
        for (const [n, tool] of document.anonymous_tools.entries()) {
          const problem = await deps.jsonSchemaProblem?.(tool.input_schema);
          if (problem !== undefined) problems.push({ path: `anonymous_tools.${n}.input_schema`, problem });
        }
        return { document: found.document, problems };
      },
      references: (document) => [
        ...listed(document, "tools", "tool"),
        ...listed(document, "includes", "skill", { acyclic: true }),
        ...listed(document, "mcp_servers", "mcp"),
      ],
    }),
    entryKind({ kind: "mcp", wrapper: "mcp_server", schema: McpServerSchema }),
    entryKind({ kind: "lsp", wrapper: "lsp_server", schema: LspServerSchema }),
    entryKind({
      kind: "resource_type",
      schema: ResourceTypeSchema,
      prepare: async (document) => ({
        document,
        problems: BUILTIN_RESOURCE_TYPES.some(({ name }) => name === document.name)
          ? [{ path: "name", problem: "this type comes with the product" }]
          : [],
      }),
      references: (document) => [
        ...named(document, "inherits", "resource_type", { acyclic: true }),
        ...listed(document, "allowed_parent_types", "resource_type"),
        ...listed(document, "child_types", "resource_type", { member: "type" }),
      ],
    }),
    resourceKind(deps),
    attachmentKind,
    invariantKind,
  ];
}

function actionKind({ tools }: EntryKindDeps): EntryKind {
  return entryKind<Action>({
    kind: "action",
    schema: ActionSchema,
    async prepare(document) {
      await tools.refresh();
      const { script } = document;
      return {
        document,
        problems: problemsIn(() => {
          if (script !== undefined) checkExpressions("", script);
          checkProbes("", tools, probesOf(document));
        }),
      };
    },
    references: (document) => [
      ...named(document, "strategy_actor", "actor"),
      ...named(document, "execution_actor", "actor"),
      ...(document["estimation_actor"] === HISTORY_ESTIMATOR
        ? []
        : named(document, "estimation_actor", "actor")),
      ...named(document, "review_actor", "actor"),
      ...named(document, "invariant_actor", "actor"),
      ...named(document, "automation_profile", "profile"),
      ...listed(document, "validations", "validation"),
      ...toolsOfScript(document),
    ],
    written: writtenScript,
  });
}

function validationKind({ tools }: EntryKindDeps): EntryKind {
  return entryKind({
    kind: "validation",
    schema: ValidationSchema,
    async prepare(document) {
      await tools.refresh();
      return {
        document,
        problems: problemsIn(() => checkProbes("", tools, [{ path: "", probe: probeFrom(document) }])),
      };
    },
    references: (document) => named(document, "wraps", "tool", { unchecked: true }),
  });
}

function projectKind({ workspace, tools }: EntryKindDeps): EntryKind {
  return entryKind<ProjectDocument>({
    kind: "project",
    schema: ProjectSchema,
    async prepare({ automation_profile, linked_resources, context_config, ...document }) {
      const { root } = await workspace.inspect(document.path);
      const kept: Project = {
        ...compact(document),
        name: document.name,
        path: root,
        ...compact({
          automationProfile: automation_profile,
          linkedResources: linked_resources,
          contextConfig: context_config,
        }),
      };
      await tools.refresh();
      const probes = (document.invariants ?? []).map((one, n) => ({
        path: `invariants.${n}`,
        probe: typeof one === "string" ? undefined : probeFrom(one),
      }));
      return { document: kept, problems: problemsIn(() => checkProbes("", tools, probes)) };
    },
    references: (document) => [
      ...named(document, "automationProfile", "profile"),
      ...listed(document, "linkedResources", "resource"),
    ],
    written: ({ automationProfile, linkedResources, contextConfig, createdAt: _, ...document }) => ({
      ...document,
      ...compact({
        automation_profile: automationProfile,
        linked_resources: linkedResources,
        context_config: contextConfig,
      }),
    }),
  });
}

function resourceKind({ registry }: EntryKindDeps): EntryKind {
  return entryKind({
    kind: "resource",
    schema: ResourceSchema,
    async prepare(document) {
      const type = await resourceType(registry, document.type);
      // That it is not there is told by whoever looks at references.
      if (type === undefined) return { document, problems: [] };
      if (!type.user_addable)
        return {
          document,
          problems: [{ path: "type", problem: `${type.name} is found where it is, and not registered` }],
        };
      const { resource, problems } = bindResource(document, type);
      const parents = await Promise.all(
        resource.parents.map(async (parent, i) => {
          const entry = await registry.find("resource", canonicalName(parent));
          const of = entry && (await resourceType(registry, String(entry.document["type"])));
          const allowed = type.allowed_parent_types;
          const fits = of === undefined || allowed.length === 0 || isAmong(allowed, entry, of);
          return fits
            ? []
            : [{ path: `parents.${i}`, problem: `${type.name} is a part of ${allowed.join(" or ")} only` }];
        }),
      );
      return { document: resource, problems: [...problems, ...parents.flat()] };
    },
    references: (document) => [
      ...named(document, "type", "resource_type"),
      ...listed(document, "parents", "resource", { acyclic: true }),
    ],
  });
}

function isAmong(
  allowed: readonly string[],
  entry: { readonly document: JsonObject } | undefined,
  { inherits }: ResourceType,
): boolean {
  return allowed.includes(String(entry?.document["type"])) || allowed.includes(inherits ?? "");
}

/** A type of resources with all that it inherits, by any spelling of its name. */
export async function resourceType(
  registry: Pick<RegistryStore, "find">,
  name: string,
): Promise<ResourceType | undefined> {
  const line: ResourceType[] = [];
  for (let at: string | undefined = name; at !== undefined && line.length < 20; ) {
    const builtin = BUILTIN_RESOURCE_TYPES.find((type) => type.name === at);
    const found: ResourceType | undefined =
      builtin ??
      ((await registry.find("resource_type", canonicalName(at)))?.document as ResourceType | undefined);
    if (found === undefined) break;
    line.push(found);
    at = found.inherits;
  }
  const [type, ...ancestors] = line;
  return type && withInherited(type, ancestors);
}

/** These have services of their own, which make them; here it counts what they are about. */
const ELSEWHERE = z.looseObject({ name: z.string() });

const attachmentKind: EntryKind = {
  kind: "attachment",
  schema: ELSEWHERE,
  references: (document) => [
    ...named(document, "validation", "validation", { partOf: true }),
    ...named(document, "target", document["scope"] as RegistryKind, { partOf: true }),
  ],
};

const invariantKind: EntryKind = {
  kind: "invariant",
  schema: ELSEWHERE,
  references: (document) =>
    document["active"] === true && (document["scope"] === "project" || document["scope"] === "action")
      ? named(document, "source", document["scope"], { partOf: true })
      : [],
};

/** Problems that a check tells by throwing them. */
function problemsIn(check: () => void): DocumentError["problems"] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof DocumentError) return error.problems;
    throw error;
  }
}
