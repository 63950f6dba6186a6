const texts = new WeakMap<object, string>();

/** The JSON of an element, made once for all who follow the same task: their dispatcher hands each the same object. */
export function sharedJson(result: unknown): string {
  if (typeof result !== "object" || result === null) return JSON.stringify(result) ?? "null";
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(result);
    texts.set(result, text);
  }
  return text;
}
