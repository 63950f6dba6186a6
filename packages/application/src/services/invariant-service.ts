import {
  canonicalName,
  EntryNotFoundError,
  type Invariant,
  type InvariantDocument,
  InvariantSchema,
  invariantFrom,
  type JsonObject,
  type Overridden,
  reconcile,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { type InvariantEntry, invariantsOf } from "../plans/reconciling.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { ownPlan } from "./access.ts";
import { checkProbes } from "./probe-check.ts";

export interface InvariantView {
  readonly invariant: Invariant;
  /** Absent for one that stands in an action or came with a plan. */
  readonly createdAt?: number;
}

export interface InvariantTargets {
  readonly global?: boolean | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly plans?: readonly string[] | undefined;
}

/** Invariants that are registered, beside those of actions and plans. A plan takes them over when it strategizes. */
export class InvariantService {
  readonly #deps: {
    readonly registry: RegistryStore;
    readonly store: TaskStore;
    readonly tools: Pick<ToolRunner, "find">;
    readonly clock: Clock;
    readonly ids: IdGenerator;
  };

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly store: TaskStore;
    readonly tools: Pick<ToolRunner, "find">;
    readonly clock: Clock;
    readonly ids: IdGenerator;
  }) {
    this.#deps = deps;
  }

  /** One for each target; all or none. Throws `EntryNotFoundError`, `PlanNotFoundError`, `InvalidParams`. */
  async add(
    principal: Principal,
    raw: InvariantDocument,
    targets: InvariantTargets,
    nonOverridable: boolean,
  ): Promise<readonly InvariantView[]> {
    const { registry, ids, clock, tools } = this.#deps;
    const parsed = InvariantSchema.safeParse(raw);
    if (!parsed.success)
      throw new ProtocolError("InvalidParams", {
        violations: parsed.error.issues.map(({ path, message }) => ({
          field: path.join("."),
          description: message,
        })),
      });
    const places = await this.#placesOf(principal, targets);
    if (nonOverridable && places.some(({ scope }) => scope !== "global"))
      throw new ProtocolError("InvalidParams", {
        violations: [
          { field: "non_overridable", description: "only a global invariant can be non-overridable" },
        ],
      });
    const now = clock.now();
    const made = places.map((place) =>
      invariantFrom(parsed.data, {
        ...place,
        id: `inv_${ids.next()}`,
        ...(nonOverridable ? { nonOverridable } : {}),
      }),
    );
    checkProbes("invariant", tools, [{ path: "", probe: made[0]?.probe }]);
    for (const invariant of made)
      await registry.add({
        kind: "invariant",
        name: invariant.id,
        document: { ...invariant, active: true } as unknown as JsonObject,
        createdAt: now,
        updatedAt: now,
      });
    return made.map((invariant) => ({ invariant, createdAt: now }));
  }

  /** The active ones of these targets, oldest first; everybody's where no target is named. */
  async list(principal: Principal, targets: InvariantTargets): Promise<readonly InvariantView[]> {
    const places = isNone(targets) ? undefined : await this.#placesOf(principal, targets);
    const entries = await this.#deps.registry.list("invariant");
    return entries.flatMap(({ document, createdAt }) => {
      const { active, ...invariant } = document as unknown as InvariantEntry; // checked when it was registered
      const { scope, source } = invariant;
      const wanted =
        places === undefined
          ? scope !== "plan"
          : places.some((place) => place.scope === scope && place.source === source);
      return active && wanted ? [{ invariant, createdAt }] : [];
    });
  }

  /** Those that hold for a plan, with what they override: as it was reconciled, or as it would be now. */
  async effective(
    principal: Principal,
    planId: string,
  ): Promise<{ readonly effective: readonly Invariant[]; readonly overridden: readonly Overridden[] }> {
    const { registry, store } = this.#deps;
    const { plan } = await ownPlan(store, principal, planId);
    return plan.reconciled ?? reconcile(await invariantsOf(registry, plan));
  }

  /** It stays in the registry as no longer active, since decisions name it. Throws `EntryNotFoundError`. */
  async remove(principal: Principal, id: string): Promise<string> {
    const { registry, store, clock } = this.#deps;
    const entry = await registry.find("invariant", id);
    const document = entry?.document as unknown as InvariantEntry | undefined;
    if (entry === undefined || document?.active !== true) throw new EntryNotFoundError("invariant", id);
    if (document.scope === "plan") await ownPlan(store, principal, document.source);
    await registry.replace({
      ...entry,
      document: { ...entry.document, active: false },
      updatedAt: clock.now(),
    });
    return id;
  }

  async #placesOf(
    principal: Principal,
    { global, projects = [], actions = [], plans = [] }: InvariantTargets,
  ): Promise<readonly Pick<Invariant, "scope" | "source">[]> {
    const places: Pick<Invariant, "scope" | "source">[] =
      global === true ? [{ scope: "global", source: "global" }] : [];
    for (const [scope, names] of [
      ["project", projects],
      ["action", actions],
    ] as const)
      for (const name of names) places.push({ scope, source: await this.#known(scope, name) });
    for (const planId of plans) {
      const { plan } = await ownPlan(this.#deps.store, principal, planId);
      places.push({ scope: "plan", source: plan.planId });
    }
    if (places.length === 0)
      throw new ProtocolError("InvalidParams", {
        violations: [{ field: "global", description: "say for whom: global, projects, actions or plan_ids" }],
      });
    return places;
  }

  async #known(kind: "project" | "action", name: string): Promise<string> {
    const full = canonicalName(name);
    if ((await this.#deps.registry.find(kind, full)) !== undefined) return full;
    const known = (await this.#deps.registry.list(kind)).map((entry) => entry.name);
    throw new EntryNotFoundError(kind, full, known);
  }
}

function isNone({ global, projects = [], actions = [], plans = [] }: InvariantTargets): boolean {
  return global !== true && projects.length + actions.length + plans.length === 0;
}
