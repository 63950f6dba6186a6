import type { z } from "zod";
import type { ErrorName } from "../errors/error-catalog.ts";
import { NameParamsSchema, RemoveParamsSchema, RemoveResultSchema } from "../schemas/registry.ts";
import type { MethodRow } from "./define-method.ts";

type Name<K extends string, V extends string> = `_cleveragents/registry/${K}/${V}`;
type Row<N extends string, P extends z.ZodType, R extends z.ZodType, E extends ErrorName> = Omit<
  MethodRow,
  "name" | "kind" | "family" | "params" | "result" | "errors"
> & {
  readonly name: N;
  readonly kind: "unary";
  readonly family: "cleveragents";
  readonly params: P;
  readonly result: R;
  readonly errors: readonly E[];
};

interface Entry<
  LP extends z.ZodType,
  LR extends z.ZodType,
  D extends z.ZodType,
  A extends z.ZodType,
  U extends z.ZodType,
  AE extends ErrorName,
  M extends ErrorName,
> {
  /** In a sentence: `skill`, `skills`. */
  readonly one: string;
  readonly many: string;
  readonly list: {
    readonly params: LP;
    readonly result: LR;
    readonly alias?: string;
    readonly summary?: string;
  };
  readonly detail: D;
  readonly add: A;
  readonly update: U;
  /** Errors of `add` besides those of every method that changes the registry. */
  readonly addErrors: readonly AE[];
  /** Errors of whatever looks at one entry. */
  readonly lookErrors?: readonly M[];
}

type Common = "InvalidParams" | "Forbidden";
type EntryRows<
  K extends string,
  LP extends z.ZodType,
  LR extends z.ZodType,
  D extends z.ZodType,
  A extends z.ZodType,
  U extends z.ZodType,
  AE extends ErrorName,
  M extends ErrorName,
> = { readonly [N in Name<K, "list">]: Row<N, LP, LR, Common> } & {
  readonly [N in Name<K, "show">]: Row<N, typeof NameParamsSchema, D, Common | "EntryNotFound" | M>;
} & { readonly [N in Name<K, "add">]: Row<N, A, D, Common | "AlreadyExists" | AE | M> } & {
  readonly [N in Name<K, "update">]: Row<N, U, D, Common | "EntryNotFound" | "InvalidState" | M>;
} & {
  readonly [N in Name<K, "remove">]: Row<
    N,
    typeof RemoveParamsSchema,
    typeof RemoveResultSchema,
    Common | "EntryNotFound" | "InvalidState"
  >;
};

/** The five methods that every kind of registered things has. */
export function entryMethods<
  const K extends string,
  LP extends z.ZodType,
  LR extends z.ZodType,
  D extends z.ZodType,
  A extends z.ZodType,
  U extends z.ZodType,
  const AE extends ErrorName = never,
  const M extends ErrorName = never,
>(kind: K, of: Entry<LP, LR, D, A, U, AE, M>): EntryRows<K, LP, LR, D, A, U, AE, M> {
  const { one, many, list, lookErrors = [] } = of;
  const row = (verb: string, more: Pick<MethodRow, "params" | "result" | "errors" | "scope" | "summary">) => {
    const name = `_cleveragents/registry/${kind}/${verb}`;
    return [name, { name, group: "registry", family: "cleveragents", kind: "unary", ...more }] as const;
  };
  const rows = Object.fromEntries([
    row("list", {
      params: list.params,
      result: list.result,
      errors: ["InvalidParams", "Forbidden"],
      scope: "registry:read",
      summary: list.summary ?? `The registered ${many}.`,
      ...(list.alias === undefined ? {} : { aliases: [list.alias] }),
    }),
    row("show", {
      params: NameParamsSchema,
      result: of.detail,
      errors: ["InvalidParams", "EntryNotFound", ...lookErrors, "Forbidden"],
      scope: "registry:read",
      summary: `One ${one}, whole, with the document that \`add\` takes.`,
    }),
    row("add", {
      params: of.add,
      result: of.detail,
      errors: ["InvalidParams", ...of.addErrors, "AlreadyExists", ...lookErrors, "Forbidden"],
      scope: "registry:write",
      summary: `Register ${/^[aeiou]|^MCP/.test(one) ? "an" : "a"} ${one}.`,
    }),
    row("update", {
      params: of.update,
      result: of.detail,
      errors: ["InvalidParams", "EntryNotFound", "InvalidState", ...lookErrors, "Forbidden"],
      scope: "registry:write",
      summary: `Replace a registered ${one}, if it is the revision that was seen.`,
    }),
    row("remove", {
      params: RemoveParamsSchema,
      result: RemoveResultSchema,
      errors: ["InvalidParams", "EntryNotFound", "InvalidState", "Forbidden"],
      scope: "registry:write",
      summary: `Forget a registered ${one} that nothing uses.`,
    }),
  ]);
  return rows as unknown as EntryRows<K, LP, LR, D, A, U, AE, M>; // the names are computed, the rows those above
}
