import { unwrapData, wrapData } from "../data-part.ts";
import { inside, isAbsent, isObject, type Json, misspelt, present } from "../json.ts";

/** A 0.3 part, told by its `kind`, as a 1.0 part. */
export function fromPart(part: unknown, field: string): unknown {
  return inside(part, (object) => {
    const kind = object["kind"];
    const read = typeof kind === "string" && Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
    if (read === undefined)
      throw misspelt(`${field}.kind`, `must be one of ${Object.keys(READERS).join(", ")}`);
    return read(object, field);
  });
}

const READERS: Readonly<Record<string, (part: Json, field: string) => unknown>> = {
  text: (part, field) => present({ text: needed(part, "text", field), metadata: part["metadata"] }),
  file: (part, field) => {
    needed(part, "file", field);
    return present({ ...fromFile(part["file"], `${field}.file`), metadata: part["metadata"] });
  },
  data: (part, field) => {
    const data = needed(part, "data", field);
    if (!isObject(data)) throw misspelt(`${field}.data`, "must be an object");
    return present(unwrapData(data, part["metadata"]));
  },
};

/** The content of a 0.3 file, told by which of its two members is there. */
export function fromFile(file: unknown, field: string): Json {
  if (!isObject(file)) throw misspelt(field, "must be an object");
  const { bytes, uri, mimeType, name } = file;
  if (isAbsent(bytes) === isAbsent(uri)) throw misspelt(field, "has exactly one of bytes and uri");
  const content = isAbsent(bytes) ? { url: uri } : { raw: bytes };
  return present({ ...content, mediaType: mimeType, filename: name });
}

function needed(part: Json, member: string, field: string): unknown {
  if (isAbsent(part[member])) throw misspelt(`${field}.${member}`, "required");
  return part[member];
}

/** A 1.0 part as a 0.3 part. Text and data have no media type and no file name there. */
export function toPart(part: unknown): unknown {
  return inside(part, ({ text, raw, url, data, mediaType, filename, metadata }) => {
    if (text !== undefined) return present({ kind: "text", text, metadata });
    if (data !== undefined) return present({ kind: "data", ...wrapData(data, metadata) });
    const content = raw === undefined ? { uri: url } : { bytes: raw };
    return present({
      kind: "file",
      file: present({ ...content, mimeType: mediaType, name: filename }),
      metadata,
    });
  });
}
