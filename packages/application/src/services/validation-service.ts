import {
  type CheckMode,
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  type ValidationDocument,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import { compact } from "../wire/message.ts";
import { type Attachment, attachmentsOf, findValidation } from "./plan-checks.ts";

export interface ValidationView {
  readonly entry: RegistryEntry;
  readonly validation: ValidationDocument;
  readonly attachments: readonly Attachment[];
}

/** What registered validations are attached to. Plans that exist keep what they were made with. */
export class ValidationService {
  readonly #deps: {
    readonly registry: RegistryStore;
    readonly clock: Clock;
    readonly ids: IdGenerator;
  };

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly clock: Clock;
    readonly ids: IdGenerator;
  }) {
    this.#deps = deps;
  }

  /** By name. */
  async list(namespace: string | undefined): Promise<readonly ValidationView[]> {
    const entries = await this.#deps.registry.list("validation");
    const attachments = await attachmentsOf(this.#deps.registry, () => true);
    return entries
      .filter(({ name }) => namespace === undefined || name.startsWith(`${namespace}/`))
      .map((entry) => viewOf(entry, attachments));
  }

  /** Throws `InvalidNameError`, or `EntryNotFoundError` that lists what there is. */
  async find(name: string): Promise<ValidationView> {
    const { registry } = this.#deps;
    await findValidation(registry, name);
    const entry = (await registry.find("validation", canonicalName(name))) as RegistryEntry; // it was there just now
    return viewOf(entry, await attachmentsOf(registry, () => true));
  }

  async viewOf(entry: RegistryEntry): Promise<ValidationView> {
    return viewOf(entry, await attachmentsOf(this.#deps.registry, () => true));
  }

  /** For all plans that are made of a project or an action from now on. Throws `EntryNotFoundError`, `InvalidState`. */
  async attach(request: {
    readonly validation: string;
    readonly scope: Attachment["scope"];
    readonly target: string;
    readonly mode?: CheckMode | undefined;
  }): Promise<{
    readonly attachment: Attachment;
    readonly view: ValidationView;
    readonly createdAt: number;
  }> {
    const { registry, ids, clock } = this.#deps;
    const view = await this.find(request.validation);
    const target = canonicalName(request.target);
    const { scope, mode } = request;
    if ((await registry.find(scope, target)) === undefined)
      throw new EntryNotFoundError(
        scope,
        target,
        (await registry.list(scope)).map((known) => known.name),
      );
    const validation = view.entry.name;
    const twice = view.attachments.find((other) => other.scope === scope && other.target === target);
    if (twice !== undefined)
      throw new ProtocolError("InvalidState", {
        message: `${validation} is attached to the ${scope} ${target} already`,
        details: { attachment_id: twice.attachmentId },
        hint: `agents validation detach ${twice.attachmentId}`,
      });
    const attachmentId = `att_${ids.next()}`;
    const attachment: Attachment = { attachmentId, validation, scope, target, ...compact({ mode }) };
    const now = clock.now();
    await registry.add({
      kind: "attachment",
      name: attachmentId,
      document: attachment as unknown as JsonObject,
      createdAt: now,
      updatedAt: now,
    });
    return { attachment, view, createdAt: now };
  }

  /** Throws `EntryNotFoundError`. */
  async detach(attachmentId: string): Promise<string> {
    await this.#deps.registry.remove("attachment", attachmentId);
    return attachmentId;
  }
}

function viewOf(entry: RegistryEntry, attachments: readonly Attachment[]): ValidationView {
  return {
    entry,
    validation: entry.document as unknown as ValidationDocument,
    attachments: attachments.filter(({ validation }) => validation === entry.name),
  };
}
