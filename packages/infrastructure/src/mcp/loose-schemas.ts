import { z } from "zod";

/**
 * What servers really send. The SDK's own schemas refuse a whole list for one bad tool, and a whole result for a kind of
 * content that came later; here each entry is judged for itself.
 */
export const LoosePage = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

export const LooseTool = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.looseObject({}).optional().catch(undefined),
  annotations: z.looseObject({}).optional().catch(undefined),
  execution: z.looseObject({ taskSupport: z.unknown() }).optional().catch(undefined),
});

export const LooseResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});
export type LooseResult = z.output<typeof LooseResult>;
