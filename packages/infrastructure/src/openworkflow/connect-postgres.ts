import postgres from "postgres";

/** The engine's tables are OpenWorkflow's, and apart from ours. */
export const ENGINE_SCHEMA = "cleveragents_engine";

export interface PostgresPlace {
  readonly url: string;
  readonly connectTimeoutMs: number;
}

/** `text[]` */
const TEXTS = {
  to: 1009,
  from: [],
  serialize: (texts: readonly string[]) =>
    `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join()}}`,
  parse: (text: string) => text,
};

/** At most so many connections, made when they are needed, and again when they break. */
export function connectPostgres({ url, connectTimeoutMs }: PostgresPlace, max: number) {
  return postgres(url, {
    max,
    connect_timeout: Math.max(1, Math.ceil(connectTimeoutMs / 1000)),
    onnotice: () => undefined,
    connection: { application_name: "cleveragents engine" },
    // The question for array types that each connection would begin with rejects unheard if it is cut off, and so ends
    // the process. OpenWorkflow has one array, and that is of texts.
    fetch_types: false,
    types: { texts: TEXTS },
    // OpenWorkflow reads its columns by these names.
    transform: { column: { from: postgres.toCamel } },
  });
}
