/** The standard methods by their A2A 1.0 names. The table need not have all of them yet. */
export const STANDARD_METHODS = [
  "SendMessage",
  "SendStreamingMessage",
  "GetTask",
  "ListTasks",
  "CancelTask",
  "SubscribeToTask",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
] as const;
export type StandardMethod = (typeof STANDARD_METHODS)[number];

/** What a dialect may ask while it reads a request. */
export interface Asker {
  readonly newId: () => string;
  /** Whether the caller has a task of this id. */
  readonly hasTask: (id: string) => Promise<boolean>;
}

/**
 * One way of writing A2A's standard methods, as functions around the JSON of A2A 1.0. A dialect knows spellings and
 * shapes and no rule of the product: what is required, how long and of which kind is said by the method's one schema,
 * so what a dialect cannot make sense of it hands on as it is.
 */
export interface Dialect {
  readonly version: "1.0" | "0.3";
  /** Methods by their spelling here. The platform's own are spelt the same everywhere and are not listed. */
  readonly names: ReadonlyMap<string, StandardMethod>;
  /** A request's parameters as A2A 1.0 writes them. Throws nothing but `InvalidParams` that names the field. */
  params(method: StandardMethod, params: unknown, asker: Asker): unknown;
  /** How the caller spells a field of the 1.0 parameters. */
  field(method: StandardMethod, field: string): string;
  /** The result of a unary method, from its 1.0 form. */
  result(method: StandardMethod, result: unknown): unknown;
  /** An element of a method's stream, from its 1.0 `StreamResponse`. */
  element(method: StandardMethod, element: unknown): unknown;
}
