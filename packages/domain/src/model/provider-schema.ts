import { z } from "zod";
import { PROVIDER_NAME } from "./model-name.ts";

const Price = z.number().nonnegative();

/** What is known of one model of a provider. */
export const ModelSettingsSchema = z.strictObject({
  /** Tokens that fit into a request and its answer together. */
  context: z.number().int().min(512).optional(),
  /** Tokens that an answer may have at most. */
  output: z.number().int().positive().optional(),
  /** US dollars for a million tokens. */
  prices: z
    .strictObject({
      input: Price,
      output: Price,
      cache_read: Price.optional(),
      cache_write: Price.optional(),
    })
    .optional(),
  /** Whether it calls tools. */
  tools: z.boolean().optional(),
  /** How it is held to JSON: by a schema, as an object of any shape, or by being asked only. */
  json: z.enum(["schema", "object", "none"]).optional(),
});
export type ModelSettings = z.output<typeof ModelSettingsSchema>;

const Seconds = z.number().positive().max(86_400);

const HttpUrl = z.url({ protocol: /^https?$/ });

function isPlainUrl(value: string): boolean {
  return HttpUrl.safeParse(value).success && !/^[^/?#]*:[\\/]*[^\\/?#]*@/.test(value);
}

/** What a file says of a provider; of one that is built in, only what is to be different. */
export const ProviderSettingsSchema = z.strictObject({
  /** Which way of speaking it understands. */
  kind: z.enum(["openai", "anthropic", "replay"]).optional(),
  base_url: z
    .string()
    .refine(isPlainUrl, "an http or https address, without a user or a password")
    .optional(),
  /** Variable of the environment that holds the key. */
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, not the key itself")
    .optional(),
  /** File that holds the key, and that nobody but its owner may read. */
  key_file: z.string().min(1).optional(),
  /** Sent with each request; not for credentials. */
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string()).optional(),
  /** Requests at a time, of all plans together. */
  max_concurrent: z.number().int().positive().max(1000).optional(),
  /** How often a request is sent again that was refused for now. */
  retries: z.number().int().nonnegative().max(20).optional(),
  /** In seconds. */
  timeouts: z
    .strictObject({
      first_byte: Seconds.optional(),
      between_bytes: Seconds.optional(),
      total: Seconds.optional(),
    })
    .optional(),
  /** What holds of models that are not named. */
  defaults: ModelSettingsSchema.optional(),
  models: z.record(z.string().min(1), ModelSettingsSchema).optional(),
  /** File that every answer is written down in, or, of the kind `replay`, is read from. */
  cassette: z.string().min(1).optional(),
});
export type ProviderSettings = z.output<typeof ProviderSettingsSchema>;

/** The YAML of `providers.yaml`. */
export const ProvidersSchema = z.strictObject({
  providers: z.record(
    z.string().regex(PROVIDER_NAME, "a provider's name has small letters, digits, - and _"),
    ProviderSettingsSchema,
  ),
});
export type ProvidersDocument = z.output<typeof ProvidersSchema>;
