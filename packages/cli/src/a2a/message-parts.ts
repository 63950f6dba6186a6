import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Values } from "../command/values.ts";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";
import { mediaTypeOf } from "./media-types.ts";

/** A part as A2A 1.0 has it. */
export type Part = Readonly<Record<string, unknown>>;

type Sources = Pick<CliContext, "stdin" | "readFile" | "readBytes">;

/** The parts of a message in the order in which they were given; the positional text comes first, `-` is stdin. */
export async function readParts(values: Values, sources: Sources): Promise<readonly Part[]> {
  const parts: { part: Part; typed: boolean }[] = [];
  const text = values.optionalPositional("TEXT");
  if (text !== undefined) parts.push({ part: { text: await textFrom(text, sources) }, typed: true });
  const stdinReaders = [
    ...(text === "-" ? ["TEXT"] : []),
    ...values.list("data").filter((file) => file === "-"),
  ];
  if (stdinReaders.length > 1) throw a2aError("USAGE", "stdin can be read only once");
  for (const { name, value } of values.ordered) {
    const given = String(value);
    if (name === "text") parts.push({ part: { text: given }, typed: false });
    if (name === "file") parts.push({ part: await filePart(given, sources), typed: false });
    if (name === "data") parts.push({ part: await dataPart(given, sources), typed: false });
    if (name !== "media-type") continue;
    const last = parts.at(-1);
    if (last === undefined || last.typed)
      throw a2aError("USAGE", "--media-type stands after the --text, --file or --data that it is about");
    last.part = { ...last.part, mediaType: given };
    last.typed = true;
  }
  if (parts.length === 0)
    throw a2aError("USAGE", "there is nothing to send", {
      hint: 'agents a2a send "TEXT", or --text, --file, --data; "-" reads the text from stdin',
    });
  return parts.map(({ part }) => part);
}

async function textFrom(text: string, { stdin }: Sources): Promise<string> {
  if (text !== "-") return text;
  const read = (await stdin.readAll()).replace(/\r?\n$/, "");
  if (read === "") throw a2aError("USAGE", "stdin is empty");
  return read;
}

/** An address is left for the agent to fetch; a file goes along. */
async function filePart(given: string, { readBytes }: Sources): Promise<Part> {
  if (/^https?:\/\//i.test(given)) {
    if (!URL.canParse(given)) throw a2aError("USAGE", `not an address: ${given}`);
    const filename = decodeName(basename(new URL(given).pathname));
    return { url: given, ...typed(filename) };
  }
  const path = given.startsWith("file://") ? fileURLToPath(given) : given;
  const bytes = await readBytes(path).catch((cause: NodeJS.ErrnoException) => {
    throw a2aError("USAGE", `cannot read ${path}: ${cause.code ?? cause.message}`, { cause });
  });
  return { raw: Buffer.from(bytes).toString("base64"), ...typed(basename(path)) };
}

function typed(filename: string): Part {
  const mediaType = mediaTypeOf(filename);
  return {
    ...(filename === "" ? {} : { filename }),
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function dataPart(file: string, { stdin, readFile }: Sources): Promise<Part> {
  const text =
    file === "-"
      ? await stdin.readAll()
      : await readFile(file).catch((cause: NodeJS.ErrnoException) => {
          throw a2aError("USAGE", `cannot read ${file}: ${cause.code ?? cause.message}`, { cause });
        });
  try {
    return { data: JSON.parse(text) as unknown, mediaType: "application/json" };
  } catch (cause) {
    throw a2aError("USAGE", `${file === "-" ? "stdin" : file} is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** `--metadata`: an object in JSON. */
export function readMetadata(values: Values): Part | undefined {
  const text = values.text("metadata");
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw a2aError("USAGE", "--metadata is a JSON object", { hint: `--metadata '{"k":"v"}'` });
  return json as Part;
}
