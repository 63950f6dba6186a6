import type { Values } from "../command/values.ts";

/** The part of a plan's changes that the flags choose, as the methods take it; empty for all of them. */
export function selectionOf(values: Values): { only?: string[]; exclude?: string[]; rebase?: boolean } {
  const [only, exclude] = [values.list("only"), values.list("exclude")];
  return {
    ...(only.length === 0 ? {} : { only: [...only] }),
    ...(exclude.length === 0 ? {} : { exclude: [...exclude] }),
    ...(values.isSet("rebase") ? { rebase: true } : {}),
  };
}
