import {
  type CheckMode,
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  probeFrom,
  type ValidationDocument,
  ValidationSchema,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { compact } from "../wire/message.ts";
import { type Attachment, attachmentsOf, findValidation } from "./plan-checks.ts";
import { checkProbes } from "./probe-check.ts";
import type { DocumentRequest } from "./registry-service.ts";

export interface ValidationView {
  readonly entry: RegistryEntry;
  readonly validation: ValidationDocument;
  readonly attachments: readonly Attachment[];
}

/** Validations and what they are attached to. Plans that exist keep what they were made with. */
export class ValidationService {
  readonly #deps: {
    readonly registry: RegistryStore;
    readonly documents: DocumentReader;
    readonly tools: ToolRunner;
    readonly clock: Clock;
    readonly ids: IdGenerator;
  };

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly documents: DocumentReader;
    readonly tools: ToolRunner;
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

  /** Throws `DocumentError` with every problem by line, or `EntryExistsError`. */
  async add(request: DocumentRequest): Promise<ValidationView> {
    const { documents, registry, tools, clock } = this.#deps;
    const { text, file } = { text: request.document, file: request.file };
    const read = documents.read({ text, file, wrapper: "validation", schema: ValidationSchema });
    checkProbes(file, tools, [{ path: "", probe: probeFrom(read) }]);
    const name = canonicalName(read.name);
    const there = request.update ? await registry.find("validation", name) : undefined;
    const now = clock.now();
    const entry: RegistryEntry = {
      kind: "validation",
      name,
      document: JSON.parse(JSON.stringify({ ...read, name })) as JsonObject,
      createdAt: there?.createdAt ?? now,
      updatedAt: now,
    };
    await (there === undefined ? registry.add(entry) : registry.replace(entry));
    return viewOf(entry, await attachmentsOf(registry, () => true));
  }

  /** Throws `EntryNotFoundError`, or `InvalidState` for one that something still uses. */
  async remove(name: string): Promise<string> {
    const { entry, attachments } = await this.find(name);
    const named = (await this.#deps.registry.list("action"))
      .filter(({ document }) => namesIn(document["validations"]).includes(entry.name))
      .map((action) => `the action ${action.name}`);
    const users = [...attachments.map(({ scope, target }) => `the ${scope} ${target}`), ...named];
    if (users.length > 0)
      throw new ProtocolError("InvalidState", {
        message: `${entry.name} checks plans of ${users.join(", ")}`,
        details: { validation: entry.name, used_by: users },
        hint: "detach it first: agents validation show lists its attachments",
      });
    await this.#deps.registry.remove("validation", entry.name);
    return entry.name;
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

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((name) => canonicalName(String(name))) : [];
}
