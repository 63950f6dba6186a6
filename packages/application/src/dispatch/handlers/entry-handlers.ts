import type { RegistryKind } from "@cleveragents/domain";
import { type ParamsOf, type Principal, ProtocolError } from "@cleveragents/protocol";
import type { RegistryEntry } from "../../ports/registry-store.ts";
import { pageByName } from "../../services/page-token.ts";
import { type EntrySource, revisionOf } from "../../services/registry/entry-registry.ts";
import type { RegistryService } from "../../services/registry-service.ts";
import type { HandlersOf } from "../method-handlers.ts";

type Kind =
  | "action"
  | "actor"
  | "project"
  | "tool"
  | "skill"
  | "mcp"
  | "lsp"
  | "resource"
  | "resource_type"
  | "validation";
type Verb = "list" | "show" | "add" | "update" | "remove";
type EntryMethod<K extends Kind> = `_cleveragents/registry/${K}/${Verb}`;

/** Fields of a call that may hold a document, or what stands in one. */
type Given = {
  readonly document?: string | undefined;
  readonly file?: string | undefined;
  readonly name?: string | undefined;
  readonly update?: boolean | undefined;
  readonly trust?: boolean | undefined;
  readonly revision?: string | undefined;
};

export interface EntryViews<P> {
  /** The list's own name in the result. */
  readonly plural: string;
  readonly list: (params: P) => Promise<readonly { readonly name: string }[]>;
  readonly show: (name: string) => Promise<object>;
  /** Of what was just added or changed; as `show` when absent. */
  readonly changed?: (entry: RegistryEntry, params: Given) => Promise<object>;
  /** A document's fields, where a call may hold them in its place. */
  readonly fields?: (params: Given, there: RegistryEntry | undefined) => EntrySource;
}

/** The handlers of the five methods that every kind has. Results are checked against their schemas in tests. */
export function entryHandlers<K extends Kind>(
  kind: K,
  registry: () => RegistryService,
  views: (service: RegistryService) => EntryViews<ParamsOf<EntryMethod<K>>>,
): HandlersOf<EntryMethod<K>> {
  const changed = (entry: RegistryEntry, params: Given) => {
    const { changed: own, show } = views(registry());
    return own === undefined ? show(entry.name) : own(entry, params);
  };
  const handlers = {
    async list(params: ParamsOf<EntryMethod<K>> & { page_size?: number; page_token?: string }) {
      const { plural, list } = views(registry());
      const { items, ...page } = pageByName(await list(params), params);
      return { [plural]: [...items], ...page };
    },
    async show({ name }: { readonly name: string }) {
      return views(registry()).show(name);
    },
    async add(params: Given, { principal }: { readonly principal: Principal }) {
      const { update = false, trust = false } = params;
      const source = sourceOf(params, () => views(registry()).fields?.(params, undefined));
      return changed(
        await registry().add(principal, kind as RegistryKind, source, { update, trust }),
        params,
      );
    },
    async update(params: Given, { principal }: { readonly principal: Principal }) {
      const { name, revision } = params;
      const { fields } = views(registry());
      const source =
        params.document === undefined && fields !== undefined
          ? (there: RegistryEntry) => fields(params, there)
          : sourceOf(params, () => undefined);
      return changed(await registry().update(principal, kind, source, { name, revision }), params);
    },
    async remove({ name, revision, force }: { name: string; revision?: string; force?: boolean }) {
      const removed = await registry().entries.remove(kind, name, { revision, force });
      return { name: removed.name, removed: true, also_removed: [...removed.also] };
    },
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([verb, handler]) => [`_cleveragents/registry/${kind}/${verb}`, handler]),
  ) as unknown as HandlersOf<EntryMethod<K>>; // one handler of each verb, by the names of the type
}

function sourceOf(params: Given, fields: () => EntrySource | undefined): EntrySource {
  const { document, file = "document" } = params;
  if (document !== undefined) return { document, file };
  const source = fields();
  if (source !== undefined) return source;
  throw new ProtocolError("InvalidParams", {
    violations: [{ field: "document", description: "is missing" }],
  });
}

/** The document that `add` takes, below the name of its kind, and its revision. */
export async function documentOf<F extends string>(
  { entries }: Pick<RegistryService, "entries">,
  field: F,
  entry: RegistryEntry,
) {
  const revision = await revisionOf(entry);
  return { revision, [field]: entries.written(entry) } as { revision: string } & {
    [N in F]: ReturnType<typeof entries.written>;
  };
}
