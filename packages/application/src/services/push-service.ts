import { isTerminal, type Message, TaskNotFoundError } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { PushSender } from "../ports/push-sender.ts";
import type { PushConfig, PushKey, PushRow, PushStore } from "../ports/push-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { ownTask } from "./access.ts";
import { badToken } from "./page-token.ts";

export interface PushServiceDeps {
  readonly store: TaskStore;
  readonly push: PushStore;
  readonly sender: PushSender;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Told of a row to which something may be owed. */
  readonly follow: (key: PushKey) => void;
}

export interface PushRegistration {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: NonNullable<PushConfig["authentication"]>;
  readonly version: PushConfig["version"];
}

/** What comes with a message; a task that it names is the message's own. */
export interface InlinePush extends PushRegistration {
  readonly taskId: string | undefined;
}

const INLINE = "configuration.taskPushNotificationConfig.";
/** Of one task; what its messages bring is not refused any more. */
const MOST = 100;

/** The service, or A2A's answer where notifications are not offered (A2A §3.3.4). */
export function pushOf(service: PushService | undefined): PushService {
  if (service === undefined) throw new ProtocolError("PushNotificationNotSupported");
  return service;
}

/** A2A §3.1.7 to §3.1.10: who is posted the events of which task. Everybody sees their own tasks only. */
export class PushService {
  readonly #deps: PushServiceDeps;

  constructor(deps: PushServiceDeps) {
    this.#deps = deps;
  }

  /** What is logged from now on is posted. The same id replaces, and goes on where the former one was. */
  async create(principal: Principal, taskId: string, given: PushRegistration): Promise<PushRow> {
    const row = await ownTask(this.#deps.store, principal, taskId);
    this.#checkUrl(given.url, "url");
    const configId = given.id ?? this.#deps.ids.next();
    const others = (await this.#deps.push.ofTask(taskId)).filter((other) => other.configId !== configId);
    if (others.length >= MOST)
      throw invalid("taskId", `the task has ${MOST} configurations already; delete one first`);
    const state = isTerminal(row.state) ? "delivered" : "active";
    return this.#put(row, given, configId, { seq: row.lastSeq, state });
  }

  /** Throws `TaskNotFoundError` where there is no such configuration, too (A2A §3.1.8). */
  async get(principal: Principal, key: PushKey): Promise<PushRow> {
    await ownTask(this.#deps.store, principal, key.taskId);
    const found = await this.#deps.push.find(key);
    if (found === undefined) throw new TaskNotFoundError(key.taskId);
    return found;
  }

  /** Oldest first; `token` is the last id of the page before. */
  async list(
    principal: Principal,
    taskId: string,
    { size, token }: { readonly size: number; readonly token: string | undefined },
  ): Promise<{ readonly rows: readonly PushRow[]; readonly next: string | undefined }> {
    await ownTask(this.#deps.store, principal, taskId);
    const all = await this.#deps.push.ofTask(taskId);
    const from = token === undefined ? 0 : all.findIndex(({ configId }) => configId === token) + 1;
    if (token !== undefined && from === 0) throw badToken("pageToken");
    const rows = all.slice(from, from + size);
    return { rows, next: from + size < all.length ? rows.at(-1)?.configId : undefined };
  }

  /** Whether or not there was one (A2A §3.1.10). */
  async remove(principal: Principal, key: PushKey): Promise<void> {
    await ownTask(this.#deps.store, principal, key.taskId);
    await this.#deps.push.remove(key);
  }

  /** Whether what comes with a message can be kept, before anything is done. Throws `InvalidParams`. */
  check({ url, taskId }: InlinePush, message: Message): void {
    this.#checkUrl(url, `${INLINE}url`);
    if (taskId !== undefined && taskId !== message.taskId)
      throw invalid(`${INLINE}taskId`, "must be empty, or the task of the message");
  }

  /**
   * Keeps what came with a message. Every event since the message is owed; where it is not known since when, since the
   * task's first. A message that came again leaves what it has brought before.
   */
  async owe(
    given: InlinePush,
    { taskId, since, message }: { taskId: string; since: number | undefined; message: Message },
  ): Promise<void> {
    // 0.3 calls a configuration without an id by its task.
    const configId = given.id ?? (given.version === "0.3" ? taskId : message.messageId);
    if (since === undefined && (await this.#deps.push.find({ taskId, configId })) !== undefined) return;
    const row = await this.#deps.store.load(taskId);
    if (row !== undefined) await this.#put(row, given, configId, { seq: since ?? 0, state: "active" });
  }

  async #put(
    { taskId, principal }: { readonly taskId: string; readonly principal: string },
    { id: _, ...given }: PushRegistration & { readonly taskId?: string | undefined },
    configId: string,
    at: Parameters<PushStore["put"]>[1],
  ): Promise<PushRow> {
    const { push, clock, follow } = this.#deps;
    const { url, version, token, authentication } = given;
    const row = await push.put(
      {
        taskId,
        configId,
        principal,
        url,
        version,
        createdAt: clock.now(),
        ...(token === undefined ? {} : { token }),
        ...(authentication === undefined ? {} : { authentication }),
      },
      at,
    );
    follow(row);
    return row;
  }

  #checkUrl(url: string, field: string): void {
    const why = this.#deps.sender.refusal(url);
    if (why !== undefined) throw invalid(field, why);
  }
}

function invalid(field: string, description: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    message: `Invalid parameters: ${field}: ${description}`,
    violations: [{ field, description }],
  });
}
