import { z } from "zod";
import { IdSchema, optional } from "./json.ts";

/** ProtoJSON writers that leave nothing out write what is absent as "". */
function unlessEmpty<T extends z.ZodType<string>>(schema: T) {
  return z
    .union([schema, z.literal(""), z.null()])
    .transform((value) => (value === "" || value === null ? undefined : value) as z.output<T> | undefined)
    .optional();
}

/** What an HTTP header can carry as it is (RFC 9110 §5.5), without the blanks that a receiver would cut off. */
function headerText(longest: number) {
  return z
    .string()
    .max(longest)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/, "must be printable ASCII without line breaks");
}

/** What stands in answers where a secret is kept. */
export const MASKED_SECRET = "********";

const unmasked = (secret: string) => secret !== MASKED_SECRET;
const MASKED = { message: "this is what stands for a secret in answers; send the secret itself" };

/** A2A §4.3.2. One of empty members is none. */
const AuthenticationInfoSchema = z
  .object({
    scheme: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,100}$/, "must be the name of an HTTP scheme"),
    credentials: unlessEmpty(headerText(4096).refine(unmasked, MASKED)),
  })
  .refine(({ scheme, credentials }) => scheme !== "" || credentials === undefined, {
    path: ["scheme"],
    message: "must say how the credentials are to be sent",
  })
  .transform((given) => (given.scheme === "" ? undefined : given));

const registration = {
  tenant: optional(z.string()),
  /** One of ours is given where there is none; the same one replaces. */
  id: unlessEmpty(IdSchema),
  url: z.string().min(1).max(2048),
  token: unlessEmpty(headerText(2048).refine(unmasked, MASKED)),
  authentication: optional(AuthenticationInfoSchema),
};

export const CreateTaskPushNotificationConfigParamsSchema = z.object({ ...registration, taskId: IdSchema });

/** The configuration that comes with a message; the task is the message's. */
export const InlinePushNotificationConfigSchema = z.object({
  ...registration,
  taskId: unlessEmpty(IdSchema),
});

/** A2A §4.3.1, with secrets masked. */
export const TaskPushNotificationConfigSchema = z.object({
  id: IdSchema,
  taskId: z.string(),
  url: z.string(),
  token: z.literal(MASKED_SECRET).optional(),
  authentication: z
    .object({ scheme: z.string(), credentials: z.literal(MASKED_SECRET).optional() })
    .optional(),
});

const reference = { tenant: optional(z.string()), taskId: IdSchema, id: IdSchema };
export const GetTaskPushNotificationConfigParamsSchema = z.object(reference);
export const DeleteTaskPushNotificationConfigParamsSchema = z.object(reference);
/** `google.protobuf.Empty`. */
export const DeleteTaskPushNotificationConfigResultSchema = z.strictObject({});

export const ListTaskPushNotificationConfigsParamsSchema = z.object({
  tenant: optional(z.string()),
  taskId: IdSchema,
  /** 0 leaves it to us, as in every proto. */
  pageSize: optional(z.number().int().min(0).max(100)),
  pageToken: optional(z.string()),
});
export const ListTaskPushNotificationConfigsResultSchema = z.object({
  configs: z.array(TaskPushNotificationConfigSchema),
  nextPageToken: z.string(),
});
