import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { type CustomTool, ToolSchema } from "../tool/tool-schema.ts";
import { BUILTIN_GROUPS, type BuiltinGroup } from "./builtin-groups.ts";

/** `name`, or `{ name: … }` as the documents also write it; what else such an object holds is refused with `instead`. */
function named<T extends z.ZodType<string>>(name: T, key = "name", instead = "only its name stands here") {
  return z
    .union([name, z.looseObject({ [key]: name })], { error: `a name, or { ${key}: NAME }` })
    .transform((raw, context): string => {
      if (typeof raw === "string") return raw;
      const others = Object.keys(raw).filter((other) => other !== key);
      if (others.length > 0)
        context.addIssue({ code: "custom", message: `${others.join(", ")}: ${instead}` });
      return (raw as Record<string, string>)[key] as string;
    });
}

/** On the agent's host: absolute, below the home (`~/`), or relative to the document's own folder, where that is known. */
const Folder = z.string().regex(/^[^\0]+$/, "a path");
const Group = z.enum(Object.keys(BUILTIN_GROUPS) as [BuiltinGroup, ...BuiltinGroup[]]);
/** A tool that is the skill's alone, as a tool's own document has it, under a name within the skill. */
const Inline = z.array(
  z
    .looseObject({
      name: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "a name of letters, digits, _ and -, without a namespace"),
    })
    .transform((raw, context): CustomTool => {
      const read = ToolSchema.safeParse(raw);
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    }),
);

/** The YAML of a skill: tools by name, other skills, MCP servers, folders with a SKILL.md, groups of builtin tools. */
export const SkillRegistrationSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().optional(),
    version: z.union([z.string(), z.number()]).transform(String).optional(),
    tools: z.array(named(z.string().min(1))).default([]),
    anonymous_tools: Inline.optional(),
    inline_tools: Inline.optional(),
    includes: z.array(named(NameSchema)).default([]),
    mcp_servers: z
      .array(named(NameSchema, "name", "a server is registered with `agents mcp add`, and only named here"))
      .default([]),
    agent_skill_folders: z.array(named(Folder, "path")).optional(),
    agent_skills: z.array(named(Folder, "path")).optional(),
    builtins: z.array(named(Group, "group")).default([]),
  })
  .transform(({ anonymous_tools, inline_tools, agent_skills, agent_skill_folders, ...raw }, context) => {
    if (anonymous_tools !== undefined && inline_tools !== undefined)
      context.addIssue({
        code: "custom",
        path: ["inline_tools"],
        message: "is another name of anonymous_tools; one of both is enough",
      });
    if (agent_skills !== undefined && agent_skill_folders !== undefined)
      context.addIssue({
        code: "custom",
        path: ["agent_skills"],
        message: "is another name of agent_skill_folders; one of both is enough",
      });
    const own = anonymous_tools ?? inline_tools ?? [];
    const twice = own.find(({ name }, n) => own.findIndex((one) => one.name === name) !== n);
    if (twice !== undefined)
      context.addIssue({
        code: "custom",
        path: ["anonymous_tools"],
        message: `${twice.name} is there twice`,
      });
    const skill = {
      ...raw,
      anonymous_tools: own,
      agent_skill_folders: agent_skill_folders ?? agent_skills ?? [],
    };
    const { tools, includes, mcp_servers, builtins } = skill;
    const all = [tools, includes, mcp_servers, builtins, skill.agent_skill_folders, own];
    if (all.every((entries) => entries.length === 0))
      context.addIssue({
        code: "custom",
        message:
          "a skill has at least one of tools, anonymous_tools, includes, mcp_servers, agent_skill_folders, builtins",
      });
    return skill;
  });
/** A registered skill; of every kind of entry the names alone. */
export type SkillRegistration = z.output<typeof SkillRegistrationSchema>;

/** A tool of a skill's own by the name that it is called by. */
export function skillToolName(skill: string, tool: string): string {
  return `${skill}__${tool}`;
}
