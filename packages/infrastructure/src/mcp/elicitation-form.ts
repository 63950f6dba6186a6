import type { CallQuestion } from "@cleveragents/application";
import type { JsonObject, JsonValue } from "@cleveragents/domain";

/** What a server wants to know: a form of flat fields, or that somebody goes to an address. */
export interface Elicitation {
  readonly message: string;
  readonly url?: string;
  readonly schema?: JsonObject;
}

export interface Elicited {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, Value>;
}
type Value = string | number | boolean | string[];

const DECLINE = { id: "decline", label: "Do not answer" };
const DONE = { id: "done", label: "It is done" };
const LONGEST = 4000;

export function elicitationOf(params: unknown): Elicitation {
  const { message, url, requestedSchema } = (params ?? {}) as JsonObject;
  const schema = requestedSchema as JsonObject | undefined;
  return {
    message: String(message ?? "").slice(0, LONGEST),
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof schema === "object" && schema !== null ? { schema } : {}),
  };
}

/** As a question of the plan; `wrong` says what was wrong with the answer before. */
export function questionOf(
  server: string,
  key: string,
  { message, url, schema }: Elicitation,
  wrong?: string,
): CallQuestion {
  const again = wrong === undefined ? "" : `${wrong}. `;
  const details = {
    mcp_server: server,
    ...(url === undefined ? {} : { url }),
    ...(schema === undefined ? {} : { schema }),
  };
  if (url !== undefined)
    return {
      key,
      prompt: `${again}The MCP server ${server} asks you to open ${url}: ${message}`,
      options: [DONE, DECLINE],
      freeText: false,
      details,
    };
  const fields = fieldsOf(schema);
  const only = fields.length === 1 ? fields[0] : undefined;
  const choices = only === undefined ? undefined : choicesOf(only.schema);
  return {
    key,
    prompt: `${again}The MCP server ${server} asks: ${message}${choices === undefined ? hintOf(fields) : ""}`,
    options: [...(fields.length === 0 ? [DONE] : (choices ?? [])), DECLINE],
    freeText: choices === undefined && fields.length > 0,
    details,
  };
}

/** What was answered, as the server wants it; or, as a text, what is wrong with it. */
export function elicitedBy(answer: JsonObject, { url, schema }: Elicitation): Elicited | string {
  const choice = String(answer["choice"]);
  if (choice === DECLINE.id) return { action: "decline" };
  const fields = fieldsOf(schema);
  if (url !== undefined) return { action: "accept" };
  if (fields.length === 0) return { action: "accept", content: {} };
  const text = choice === "text" ? String(answer["text"] ?? "") : choice;
  const given = givenIn(text, fields);
  if (typeof given === "string") return given;
  const content: Record<string, Value> = {};
  for (const field of fields) {
    const value = fieldValue(field, given[field.name]);
    if (typeof value === "object" && "wrong" in value) return value.wrong;
    if (value !== undefined) content[field.name] = value;
  }
  return { action: "accept", content };
}

interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

function fieldsOf(schema: JsonObject | undefined): readonly Field[] {
  const required = Array.isArray(schema?.["required"]) ? schema["required"] : [];
  return Object.entries((schema?.["properties"] ?? {}) as Record<string, JsonObject>).map(([name, of]) => ({
    name,
    schema: of,
    required: required.includes(name),
  }));
}

function choicesOf(schema: JsonObject): { id: string; label: string }[] | undefined {
  if (schema["type"] === "boolean")
    return [
      { id: "true", label: "Yes" },
      { id: "false", label: "No" },
    ];
  const titled = schema["oneOf"];
  if (Array.isArray(titled))
    return (titled as JsonObject[]).map((one) => ({
      id: String(one["const"]),
      label: String(one["title"] ?? one["const"]),
    }));
  const { enum: values, enumNames: names } = schema;
  if (!Array.isArray(values)) return undefined;
  return values.map((value, n) => ({
    id: String(value),
    label: String((Array.isArray(names) ? names[n] : undefined) ?? value),
  }));
}

function hintOf(fields: readonly Field[]): string {
  if (fields.length === 0) return "";
  const words = fields.map(({ name, schema, required }) => {
    const said = [schema["title"], schema["description"]]
      .filter((text) => typeof text === "string")
      .join(", ");
    const choices = choicesOf(schema)?.map(({ id }) => id);
    const kind = choices === undefined ? String(schema["type"] ?? "text") : choices.join("|");
    return `${name} (${kind}${required ? "" : ", optional"})${said === "" ? "" : `: ${said}`}`;
  });
  if (fields.length === 1) return `\n${words[0]}`;
  return `\nAnswer with a line name=value for each, or with JSON:\n${words.join("\n")}`;
}

/** JSON, or a line `name=value` for each; of one field its value. */
function givenIn(text: string, fields: readonly Field[]): Record<string, JsonValue | undefined> | string {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    try {
      return JSON.parse(trimmed) as JsonObject;
    } catch {
      return "That is no JSON";
    }
  }
  const [only] = fields;
  const lines = trimmed.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^\s*([^=\s]+)\s*=\s*(.*)$/.exec(line));
  const isNamed = pairs.length > 0 && pairs.every((pair) => fields.some(({ name }) => name === pair?.[1]));
  if (isNamed) return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2]]));
  if (fields.length === 1 && only !== undefined) return { [only.name]: trimmed };
  return "That is neither JSON nor a line name=value for each field";
}

function fieldValue(
  { name, schema, required }: Field,
  given: JsonValue | undefined,
): Value | { readonly wrong: string } | undefined {
  if (given === undefined || given === null || (given === "" && !required)) {
    const { default: preset } = schema;
    if (preset !== undefined) return preset as Value; // of the kind that its schema says
    return required ? { wrong: `${name} is missing` } : undefined;
  }
  const { type } = schema;
  const wrong = (what: string) => ({ wrong: `${name} is to be ${what}` });
  if (type === "boolean") {
    if (typeof given === "boolean") return given;
    if (/^(true|yes|y)$/i.test(String(given))) return true;
    return /^(false|no|n)$/i.test(String(given)) ? false : wrong("yes or no");
  }
  if (type === "number" || type === "integer") {
    const number = typeof given === "string" && given.trim() === "" ? Number.NaN : Number(given);
    if (!Number.isFinite(number)) return wrong("a number");
    if (type === "integer" && !Number.isInteger(number)) return wrong("a whole number");
    const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
    if (minimum !== undefined && number < minimum) return wrong(`at least ${minimum}`);
    return maximum !== undefined && number > maximum ? wrong(`at most ${maximum}`) : number;
  }
  if (type === "array") return Array.isArray(given) ? given.map(String) : String(given).split(/\s*,\s*/);
  const text = String(given);
  const choices = choicesOf(schema)?.map(({ id }) => id);
  return choices === undefined || choices.includes(text) ? text : wrong(`one of ${choices.join(", ")}`);
}
