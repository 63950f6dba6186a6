import { z } from "zod";
import type { JsonObject } from "../task/message.ts";

const JsonObjectSchema = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** What a server says of a tool of its own; it may say anything, so nothing is granted for it. */
const HintsSchema = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type McpHints = z.output<typeof HintsSchema>;

const ToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: JsonObjectSchema,
  outputSchema: JsonObjectSchema.optional(),
  hints: HintsSchema,
});
export type McpTool = z.output<typeof ToolSchema>;

/** The tools of a server as they were found the last time it ran: what is offered without starting it. */
export const McpListingSchema = z.object({
  /** SHA-256 of how the server was started: a list is not another server's of the same name. */
  of: z.string(),
  /** What the server calls itself. */
  server: z.object({ name: z.string(), version: z.string() }),
  /** The version of the protocol that was agreed on. */
  protocol: z.string(),
  era: z.enum(["legacy", "modern"]),
  /** SHA-256 of the tools. */
  hash: z.string(),
  /** Milliseconds since the epoch. */
  found_at: z.number(),
  tools: z.array(ToolSchema),
  /** What it listed and nobody can use. */
  refused: z.array(z.object({ name: z.string(), why: z.string() })),
  /** What was wrong with the list as a whole. */
  warnings: z.array(z.string()),
});
export type McpListing = z.output<typeof McpListingSchema>;

/** What another list has that the first has not, and the other way round, by name; `changed` are in both. */
export function listingChanges(
  before: readonly McpTool[],
  after: readonly McpTool[],
): { readonly added: string[]; readonly removed: string[]; readonly changed: string[] } {
  const earlier = new Map(before.map((tool) => [tool.name, JSON.stringify(tool)]));
  const later = new Set(after.map(({ name }) => name));
  return {
    added: after.flatMap(({ name }) => (earlier.has(name) ? [] : [name])),
    removed: before.flatMap(({ name }) => (later.has(name) ? [] : [name])),
    changed: after.flatMap((tool) => {
      const was = earlier.get(tool.name);
      return was === undefined || was === JSON.stringify(tool) ? [] : [tool.name];
    }),
  };
}
