/** Groups of builtin tools that a skill can name at once; a name that ends in `*` means all that begin so. */
export const BUILTIN_GROUPS = {
  file_operations: [
    "builtin/read_file",
    "builtin/write_file",
    "builtin/edit_file",
    "builtin/delete_file",
    "builtin/rename_file",
    "builtin/chmod_file",
    "builtin/symlink",
  ],
  directory_operations: ["builtin/list_files", "builtin/search*"],
  shell_operations: ["builtin/shell"],
  git_operations: ["builtin/git*"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type BuiltinGroup = keyof typeof BUILTIN_GROUPS;
