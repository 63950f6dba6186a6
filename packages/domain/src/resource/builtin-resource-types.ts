import { type ResourceType, ResourceTypeSchema } from "./resource-type-schema.ts";

const PATH = { name: "path", type: "path", required: true, description: "where it lies" };

/** The types that every agent knows. Their names have no namespace. */
export const BUILTIN_RESOURCE_TYPES: readonly ResourceType[] = [
  {
    name: "git-checkout",
    description: "A work tree of a git repository",
    cli_arguments: [PATH, { name: "branch", description: "the branch that is meant", default: "main" }],
    sandbox_strategy: "private_store",
    handler: "GitCheckoutHandler",
    child_types: [
      { type: "git" },
      { type: "fs-directory" },
      { type: "devcontainer-instance", auto_discover: true },
    ],
    capabilities: { readable: true, writable: true, sandboxable: true, checkpointable: true },
  },
  {
    name: "git",
    description: "A git repository",
    cli_arguments: [{ name: "url", type: "url", required: true, description: "where it is cloned from" }],
    handler: "GitHandler",
    allowed_parent_types: ["git-checkout"],
    capabilities: { readable: true },
  },
  {
    name: "fs-directory",
    description: "A folder",
    cli_arguments: [PATH],
    sandbox_strategy: "private_store",
    handler: "DirectoryHandler",
    child_types: [
      { type: "fs-directory" },
      { type: "fs-file" },
      { type: "devcontainer-instance", auto_discover: true },
    ],
    capabilities: { readable: true, writable: true, sandboxable: true, checkpointable: true },
  },
  { name: "fs-mount", description: "A folder that is mounted", inherits: "fs-directory" },
  {
    name: "fs-file",
    description: "A file",
    cli_arguments: [PATH],
    handler: "FileHandler",
    allowed_parent_types: ["fs-directory", "git-checkout"],
    capabilities: { readable: true, writable: true, sandboxable: true, checkpointable: true },
  },
  {
    name: "container-instance",
    description: "A container that commands can run in",
    cli_arguments: [{ name: "image", required: true, description: "what it is made of" }],
    handler: "ContainerHandler",
    capabilities: { readable: true, writable: true },
  },
  {
    name: "devcontainer-instance",
    description: "A dev container that a project describes",
    inherits: "container-instance",
    user_addable: false,
    allowed_parent_types: ["git-checkout", "fs-directory"],
    cli_arguments: [{ name: "image", description: "what it is made of, where the project does not say it" }],
  },
  {
    name: "devcontainer-file",
    description: "The description of a dev container",
    inherits: "fs-file",
    user_addable: false,
  },
].map((type) => ResourceTypeSchema.parse(type));
