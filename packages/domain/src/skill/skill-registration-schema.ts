import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { type McpServer, McpServerSchema } from "../mcp/mcp-server-schema.ts";
import { type CustomTool, ToolSchema } from "../tool/tool-schema.ts";
import { BUILTIN_GROUPS, type BuiltinGroup } from "./builtin-groups.ts";

/** `name`, or `{ name: … }` as the documents also write it; what else such an object holds is refused. */
function named<T extends z.ZodType<string>>(name: T, key = "name") {
  return z
    .union([name, z.looseObject({ [key]: name })], { error: `a name, or { ${key}: NAME }` })
    .transform((raw, context): string => {
      if (typeof raw === "string") return raw;
      const others = Object.keys(raw).filter((other) => other !== key);
      if (others.length > 0)
        context.addIssue({ code: "custom", message: `${others.join(", ")}: only its ${key} stands here` });
      return (raw as Record<string, string>)[key] as string;
    });
}

/** On the agent's host: absolute, below the home (`~/`), or relative to the document's own folder, where that is known. */
const Folder = z.string().regex(/^[^\0]+$/, "a path");
const Group = z.enum(Object.keys(BUILTIN_GROUPS) as [BuiltinGroup, ...BuiltinGroup[]]);
/** A server that is the skill's alone, as a server's own document has it, under a name within the skill. */
const InlineServer = z
  .looseObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*$/,
        "a name of letters, digits, - and single _, without a namespace",
      ),
  })
  .transform((raw, context): McpServer => {
    const read = McpServerSchema.safeParse(raw);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
/** With nothing but its name it is a registered one. */
const Server = z
  .union([NameSchema, z.looseObject({ name: z.string() })], { error: "a name, or a server with its `name`" })
  .transform((raw, context): string | McpServer => {
    if (typeof raw === "string") return raw;
    const isNamed = Object.keys(raw).length === 1;
    const read = isNamed ? NameSchema.safeParse(raw.name) : InlineServer.safeParse(raw);
    if (read.success) return read.data;
    const under = isNamed ? ["name"] : [];
    for (const { path, message } of read.error.issues)
      context.addIssue({ code: "custom", path: [...under, ...path], message });
    return z.NEVER;
  });
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
    mcp_servers: z.array(Server).default([]),
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
    for (const [key, ones] of [
      ["anonymous_tools", own],
      ["mcp_servers", raw.mcp_servers.filter((server) => typeof server !== "string")],
    ] as const) {
      const twice = ones.find(({ name }, n) => ones.findIndex((one) => one.name === name) !== n);
      if (twice !== undefined)
        context.addIssue({ code: "custom", path: [key], message: `${twice.name} is there twice` });
    }
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
/** A registered skill; of others the names alone, of what is its own the documents. */
export type SkillRegistration = z.output<typeof SkillRegistrationSchema>;

/** A tool of a skill's own by the name that it is called by. */
export function skillToolName(skill: string, tool: string): string {
  return `${skill}__${tool}`;
}
