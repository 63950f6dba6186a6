import { tokensOf } from "@cleveragents/domain";
import type { MethodName } from "@cleveragents/protocol";
import type { SkillService } from "../../skills/skill-service.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type SkillMethod = Extract<MethodName, `_cleveragents/registry/skill/${"validate" | "tools" | "refresh"}`>;

export function skillHandlers(service: SkillService | undefined): HandlersOf<SkillMethod> {
  const skills = () => wired(service, "skills");
  return {
    async "_cleveragents/registry/skill/validate"({ document, folder, strict = false }) {
      const { valid, spec, diagnostics } = skills().validate(document, folder, strict);
      return {
        valid,
        strict,
        ...compact({
          name: spec?.name,
          version: spec?.version,
          description: spec?.description,
          format: spec?.format,
        }),
        steps: (spec?.steps ?? []).map(({ index, title, commands }) => ({
          number: index,
          title,
          commands: commands.map(({ script, args, interpreter }) =>
            [interpreter ?? [], script, ...args].flat().join(" "),
          ),
        })),
        definition_of_done: (spec?.definitionOfDone ?? []).map(({ text }) => text),
        ...(spec?.tools === undefined
          ? {}
          : { allowed_tools: spec.tools.map(({ pattern, tools }) => ({ pattern, tools: [...tools] })) }),
        resource_slots: (spec?.resourceSlots ?? []).map(({ name }) => name),
        ...(spec === undefined
          ? {}
          : {
              tokens: {
                discover: tokensOf(`${spec.name}: ${spec.description}`),
                activate: tokensOf(spec.instructions),
              },
            }),
        diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic })),
      };
    },
    async "_cleveragents/registry/skill/tools"({ name, project }) {
      const { skill, tools, missing } = await skills().tools(name, project);
      const count = (has: (tool: (typeof tools)[number]) => boolean) => tools.filter(has).length;
      return {
        skill,
        tools: tools.map(({ name: tool, source, fromSkill, readOnly, writes, checkpoint }) => ({
          name: tool,
          source,
          from_skill: fromSkill,
          read_only: readOnly,
          writes,
          checkpoint,
        })),
        missing: missing.map(({ name: tool, fromSkill, hint }) => ({
          name: tool,
          from_skill: fromSkill,
          ...compact({ hint }),
        })),
        summary: {
          total: tools.length,
          read_only: count((tool) => tool.readOnly),
          writes: count((tool) => tool.writes),
          checkpointable: count((tool) => tool.checkpoint),
        },
      };
    },
    async "_cleveragents/registry/skill/refresh"({ name }) {
      const { skills: refreshed, shadowed, diagnostics } = await skills().refresh(name);
      return {
        skills: refreshed.map(({ added, removed, ...skill }) => ({
          ...skill,
          added: [...added],
          removed: [...removed],
        })),
        shadowed: shadowed.map((skill) => ({ ...skill })),
        diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic })),
      };
    },
  };
}
