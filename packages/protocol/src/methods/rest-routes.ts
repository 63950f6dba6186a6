import type { z } from "zod";
import type { MethodRow, RestBinding } from "./define-method.ts";
import { type MethodName, methods } from "./method-table.ts";

type Verb = RestBinding["verbs"][number];

interface Route {
  readonly method: MethodName;
  readonly row: MethodRow;
  readonly verbs: readonly string[];
  readonly pattern: RegExp;
  readonly legacy: RegExp | undefined;
}

/** What a path and a verb ask for; `version` where the path itself says it. */
export interface RestCall {
  readonly method: MethodName;
  readonly row: MethodRow;
  readonly version: "0.3" | undefined;
  readonly tenant: string | undefined;
  /** Parameters in the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

// The more exact first: `{id}` would take `x:cancel` as well.
const routes: readonly Route[] = (Object.keys(methods) as MethodName[])
  .map((method): Route & { readonly exact: number } => {
    const row: MethodRow = methods[method];
    const rest: RestBinding = row.rest ?? { verbs: ["POST"], path: `/${method}` };
    const legacy = rest.legacyPath === undefined ? rest.path : rest.legacyPath;
    return {
      method,
      row,
      verbs: rest.verbs,
      pattern: toPattern(rest.path),
      legacy: legacy === null ? undefined : toPattern(legacy),
      exact: rest.path.replace(/\{\w+\}/g, "").length,
    };
  })
  .sort((a, b) => b.exact - a.exact);

function toPattern(path: string): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((piece) =>
      piece.startsWith("{") ? `(?<${piece.slice(1, -1)}>[^/]+)` : piece.replace(/[.*+?^$()|[\]\\]/g, "\\$&"),
    );
  return new RegExp(`^${source.join("")}$`);
}

/**
 * Reads a path below the binding's root: `/tasks/x`, with a tenant `/acme/tasks/x`, for A2A 0.3 `/v1/tasks/x`.
 * Undefined where no route has this path and verb.
 */
export function readRestCall(verb: string, path: string): RestCall | undefined {
  for (const { found, tenant, version } of matches(path)) {
    if (!found.route.verbs.includes(verb as Verb)) continue;
    const decoded = decodeAll({ ...found.groups, ...(tenant === undefined ? {} : { tenant }) });
    if (decoded === undefined) return undefined;
    const { tenant: decodedTenant, ...parameters } = decoded;
    const { method, row } = found.route;
    return { method, row, version, tenant: decodedTenant, path: parameters };
  }
  return undefined;
}

/** The verbs that a path takes, when it is one; undefined when nothing is there. */
export function restMiss(path: string): readonly string[] | undefined {
  const verbs = matches(path).flatMap(({ found }) => found.route.verbs);
  return verbs.length === 0 ? undefined : [...new Set(verbs)];
}

interface Match {
  readonly found: { readonly route: Route; readonly groups: Readonly<Record<string, string>> };
  readonly tenant: string | undefined;
  readonly version: "0.3" | undefined;
}

function matches(path: string): readonly Match[] {
  const legacy = /^\/v1(\/.*)$/.exec(path)?.[1];
  if (legacy !== undefined) {
    const found = find(legacy, "legacy");
    if (found.length > 0) return found.map((one) => ({ found: one, tenant: undefined, version: "0.3" }));
  }
  const plain = find(path, "pattern");
  if (plain.length > 0) return plain.map((one) => ({ found: one, tenant: undefined, version: undefined }));
  const [, tenant, rest] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  // The root of 0.3 is no tenant.
  if (rest === undefined || tenant === "v1") return [];
  return find(rest, "pattern").map((one) => ({ found: one, tenant, version: undefined }));
}

/** Of the routes with this path, those whose pattern is the most exact. */
function find(path: string, column: "pattern" | "legacy"): Match["found"][] {
  const found: Match["found"][] = [];
  for (const route of routes) {
    const match = route[column]?.exec(path);
    if (match === null || match === undefined) continue;
    if (found.length > 0 && found[0]?.route[column]?.source !== route[column]?.source) break;
    found.push({ route, groups: match.groups ?? {} });
  }
  return found;
}

function decodeAll(pieces: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(pieces).map(([name, piece]) => [name, decodeURIComponent(piece)]),
    );
  } catch {
    return undefined;
  }
}

/** The parameters in a query (A2A §11.5), as the types that the method's schema has for them. */
export function readQuery(row: MethodRow, query: URLSearchParams): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const types = typesOf(row.params, name);
    if (types.size === 0) continue;
    const values = query.getAll(name);
    if (types.has("array")) read[name] = values.flatMap((value) => value.split(","));
    else read[name] = values.length === 1 ? scalar(values[0] as string, types) : values;
  }
  return read;
}

function scalar(text: string, types: ReadonlySet<string>): unknown {
  if (types.has("number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The kinds of value that a member of an object schema takes; none where it has no such member. */
function typesOf(schema: z.ZodType, name: string): ReadonlySet<string> {
  const { shape } = schema.def as { shape?: Record<string, z.ZodType> };
  const types = new Set<string>();
  const visit = (member: z.ZodType | undefined): void => {
    if (member === undefined) return;
    const def = member.def as {
      type: string;
      innerType?: z.ZodType;
      in?: z.ZodType;
      options?: readonly z.ZodType[];
    };
    types.add(def.type);
    visit(def.innerType);
    visit(def.in);
    for (const option of def.options ?? []) visit(option);
  };
  visit(shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : undefined);
  return types;
}
