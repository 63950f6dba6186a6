import { isObject, type Json } from "./json.ts";

/**
 * Before 1.0 a data part holds an object. Any other JSON goes into one as `value`, and this member of the part's
 * metadata says so: the convention of the SDKs.
 */
const WRAPPED = "data_part_compat";

/** The data of a 1.0 part and its metadata, for a dialect in which data is an object. */
export function wrapData(data: unknown, metadata: unknown): { data: Json; metadata: unknown } {
  if (isObject(data)) return { data, metadata };
  return { data: { value: data }, metadata: { ...(isObject(metadata) ? metadata : {}), [WRAPPED]: true } };
}

/** The inverse: data that was wrapped comes out, and the mark is gone. */
export function unwrapData(data: Json, metadata: unknown): { data: unknown; metadata: unknown } {
  if (!isObject(metadata) || metadata[WRAPPED] !== true || !Object.hasOwn(data, "value"))
    return { data, metadata };
  const { [WRAPPED]: _, ...rest } = metadata;
  return { data: data["value"], metadata: Object.keys(rest).length === 0 ? undefined : rest };
}
