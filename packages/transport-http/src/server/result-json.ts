const texts = new WeakMap<object, string>();

/** The JSON of a result. What is frozen stays as it is, so that its text is made once however often it is answered. */
export function resultJson(result: unknown): string {
  if (typeof result !== "object" || result === null || !Object.isFrozen(result))
    return JSON.stringify(result) ?? "null";
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(result);
    texts.set(result, text);
  }
  return text;
}
