/** A setting that cannot be; the message says which and what to do, and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
