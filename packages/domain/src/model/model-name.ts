/** `provider/model`, as people write it; the model's part is the provider's own name and may hold slashes itself. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

export class InvalidModelNameError extends Error {
  override readonly name = "InvalidModelNameError";
  readonly value: string;
  constructor(value: string) {
    super(`"${value}" is not a model's name: write provider/model, such as openai/gpt-4o`);
    this.value = value;
  }
}

export const PROVIDER_NAME = /^[a-z][a-z0-9_-]*$/;
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;

/** Split at the first slash. Throws {@link InvalidModelNameError}. */
export function parseModelName(value: string): ModelName {
  const slash = value.indexOf("/");
  const provider = value.slice(0, slash);
  const model = value.slice(slash + 1);
  if (slash < 0 || !PROVIDER_NAME.test(provider) || !MODEL.test(model))
    throw new InvalidModelNameError(value);
  return { provider, model };
}

export function isModelName(value: string): boolean {
  const slash = value.indexOf("/");
  return slash > 0 && PROVIDER_NAME.test(value.slice(0, slash)) && MODEL.test(value.slice(slash + 1));
}
