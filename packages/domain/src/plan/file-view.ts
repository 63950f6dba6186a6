import { z } from "zod";

const Glob = z
  .string()
  .min(1)
  .max(1000)
  .refine((glob) => !glob.startsWith("/") && !glob.includes("\0") && !glob.split("/").includes(".."), {
    message: "use a path or glob inside of the project",
  });
const Globs = z.array(Glob).min(1).max(200);

/**
 * Which files of a copy somebody sees: globs as git's, where a folder means all in it. What is excluded is not seen although it
 * is included. Files that are not seen are not lost: they stay as they are.
 */
export const FileViewSchema = z
  .strictObject({
    /** All when absent. */
    include: Globs.optional(),
    exclude: Globs.optional(),
    /** In bytes; larger files are not seen. */
    max_file_size: z.number().int().positive().optional(),
  })
  .refine((view) => Object.values(view).some((part) => part !== undefined), {
    message: "a view says what is included, what is excluded, or how large files are at most",
  });
export type FileView = z.output<typeof FileViewSchema>;
