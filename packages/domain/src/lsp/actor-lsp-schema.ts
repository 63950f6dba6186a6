import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { canonicalName } from "../names/name.ts";
import { AUTO_BINDING, type LspBinding, LspBindingSchema } from "./lsp-binding.ts";

/** A binding as it is kept, so that a document is the same when it is read again. */
const KeptSchema = z.strictObject({
  languages: z.array(z.string()),
  servers: z.array(NameSchema),
  auto: z.boolean(),
});

/** What an actor says of its language servers: `auto`, names of registered ones, or a binding. */
export const ActorLspSchema: z.ZodType<LspBinding> = z.union([
  z.literal("auto").transform((): LspBinding => AUTO_BINDING),
  z
    .array(NameSchema)
    .min(1)
    .transform((names): LspBinding => ({ languages: [], servers: names.map(canonicalName), auto: false })),
  KeptSchema,
  LspBindingSchema,
]);
