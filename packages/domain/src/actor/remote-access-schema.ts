import { z } from "zod";

/** Where a secret is found that another agent asks for. It is looked up for each call and kept nowhere. */
export const RemoteCredentialSchema = z
  .strictObject({
    /** A variable of the agent's environment. */
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable")
      .optional(),
    /** A file of mode 0600 in the data directory's `keys`. */
    file: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "the name of a file, without a path")
      .optional(),
    /** The header that it is sent in, as it is; `Authorization: Bearer` when absent. */
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, "the name of a header")
      .optional(),
  })
  .refine(({ env, file }) => (env === undefined) !== (file === undefined), "say either `env` or `file`");
export type RemoteCredential = z.output<typeof RemoteCredentialSchema>;

/** An address that somebody else may be reached at; whether it is admitted is judged when it is called. */
export const RemoteUrlSchema = z.string().superRefine((value, context) => {
  const problem = urlProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

function urlProblem(value: string): string | undefined {
  if (!/^https?:\/\/[^/\s?#]+/i.test(value)) return "an address that begins with http:// or https://";
  if (/^https?:\/\/[^/]*@/i.test(value)) return "an address without a user or a password in it";
  return /[\s#]/.test(value) ? "an address without blanks and without a #" : undefined;
}

/** What bounds an answer that comes from elsewhere. */
export const RemoteLimitsSchema = z.strictObject({
  /** Seconds that one answer may take, questions to the user not counted. */
  answer: z.number().positive().max(604_800).default(3600),
  /** Seconds of silence after which a connection counts as lost, and the work is asked after anew. */
  silence: z.number().positive().max(3600).default(120),
  /** Files that are taken of an answer, and bytes of all of them together. */
  files: z.number().int().min(0).max(1000).default(50),
  file_bytes: z.number().int().min(0).max(8_388_608).default(2_097_152),
});
export type RemoteLimits = z.output<typeof RemoteLimitsSchema>;

const Globs = z.array(z.string().min(1).max(1000)).max(100).default([]);

/** What of a plan's project somebody elsewhere is shown besides the task. Nothing where it does not say so. */
export const RemoteShowsSchema = z.strictObject({
  /** Paths that it is told, by globs: `*` within a folder, `**` across folders, a folder means all in it. */
  names: Globs,
  /** Files that go along, the same; those that the task names first. */
  files: Globs,
  most_files: z.number().int().min(1).max(100).default(20),
  most_bytes: z.number().int().min(1).max(4_194_304).default(262_144),
});
export type RemoteShows = z.output<typeof RemoteShowsSchema>;
