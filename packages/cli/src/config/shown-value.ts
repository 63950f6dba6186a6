import { CONFIG_KEYS } from "./keys.ts";
import type { Setting } from "./load-config.ts";

/** What may be shown of a value: of a secret, that there is one. */
export function shownValue({ name, value }: Pick<Setting, "name" | "value">): string | undefined {
  const secret = CONFIG_KEYS.some((key) => key.name === name && key.secret === true);
  return secret && value !== undefined ? "********" : value;
}
