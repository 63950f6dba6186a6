import { z } from "zod";
import { optional } from "./json.ts";

/** Parameters of every list of the platform's own methods. */
export const PageParams = {
  page_size: optional(z.number().int().min(1).max(500)),
  page_token: optional(z.string()),
};

/** `{ <plural>: [...], total, next_page_token }`; the token is empty on the last page. */
export function pageOf<K extends string, T extends z.ZodType>(plural: K, item: T) {
  return z.object({
    ...({ [plural]: z.array(item) } as { [P in K]: z.ZodArray<T> }),
    total: z.number().int(),
    next_page_token: z.string(),
  });
}
