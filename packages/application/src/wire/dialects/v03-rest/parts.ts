import { wrapData } from "../data-part.ts";
import { inside, isAbsent, isObject, type Json, misspelt, present } from "../json.ts";
import { member } from "./members.ts";

/** A part of the 0.3 proto: one of `text`, `file` and `data`, the content one level below. */
export function fromPart(part: unknown, field: string): unknown {
  return inside(part, (object) => {
    const { text, file, data, metadata } = object;
    if ([text, file, data].filter((content) => !isAbsent(content)).length !== 1)
      throw misspelt(field, "has exactly one of text, file and data");
    if (!isAbsent(text)) return present({ text, metadata });
    if (!isAbsent(file)) return present({ ...fromFile(file, `${field}.file`), metadata });
    const value = isObject(data) ? data["data"] : undefined;
    if (!isObject(value)) throw misspelt(`${field}.data.data`, "must be an object");
    return present({ data: value, metadata });
  });
}

function fromFile(file: unknown, field: string): Json {
  if (!isObject(file)) throw misspelt(field, "must be an object");
  const uri = member(file, "fileWithUri");
  const bytes = member(file, "fileWithBytes");
  if (isAbsent(uri) === isAbsent(bytes))
    throw misspelt(field, "has exactly one of fileWithUri and fileWithBytes");
  const mediaType = member(file, "mimeType");
  const filename = member(file, "name");
  return { ...(isAbsent(uri) ? { raw: bytes } : { url: uri }), mediaType, filename };
}

/** Nothing but its content and a file's media type has a place in a part of this proto. */
export function toPart(part: unknown): unknown {
  return inside(part, ({ text, raw, url, data, mediaType }) => {
    if (text !== undefined) return { text };
    if (data !== undefined) return { data: { data: wrapData(data, undefined).data } };
    const content = raw === undefined ? { fileWithUri: url } : { fileWithBytes: raw };
    return { file: present({ ...content, mimeType: mediaType }) };
  });
}
