import { z } from "zod";

const Glob = z
  .string()
  .min(1)
  .max(1000)
  .refine((glob) => !glob.startsWith("/") && !glob.includes("\0") && !glob.split("/").includes(".."), {
    message: "use a path or glob inside of the project",
  });
/** Paths of a project's files, as git's: a folder means all in it. */
export const FileGlobsSchema = z.array(Glob).min(1).max(200);

/**
 * Which files of a copy somebody sees: globs as git's, where a folder means all in it. What is excluded is not seen although it
 * is included. Files that are not seen are not lost: they stay as they are.
 */
export const FileViewSchema = z
  .strictObject({
    /** All when absent. */
    include: FileGlobsSchema.optional(),
    exclude: FileGlobsSchema.optional(),
    /** In bytes; larger files are not seen. */
    max_file_size: z.number().int().positive().optional(),
  })
  .refine((view) => Object.values(view).some((part) => part !== undefined), {
    message: "a view says what is included, what is excluded, or how large files are at most",
  });
export type FileView = z.output<typeof FileViewSchema>;
