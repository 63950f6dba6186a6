import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import type { RegistryService } from "../../services/registry-service.ts";
import type { ValidationService, ValidationView } from "../../services/validation-service.ts";
import { toValidationDetail, toValidationItem, toWireAttachment } from "../../wire/checks.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { documentOf, entryHandlers } from "./entry-handlers.ts";
import { namespaceIn } from "./registry-handlers.ts";
import { wired } from "./wired.ts";

type ValidationMethod = Extract<MethodName, `_cleveragents/registry/validation/${string}`>;

export function validationHandlers(
  registryService: RegistryService | undefined,
  service: ValidationService | undefined,
): HandlersOf<ValidationMethod> {
  const validations = () => wired(service, "validation");
  const registry = () => wired(registryService, "registry");
  const detail = async (view: ValidationView) => ({
    ...toValidationDetail(view),
    ...(await documentOf(registry(), "validation", view.entry)),
  });
  return {
    ...entryHandlers("validation", registry, () => ({
      plural: "validations",
      list: async (params) => (await validations().list(namespaceIn(params))).map(toValidationItem),
      show: async (name) => detail(await validations().find(name)),
      changed: async (entry) => detail(await validations().viewOf(entry)),
    })),
    async "_cleveragents/registry/validation/attach"({ validation, project, action, mode }) {
      const [scope, target, other] =
        project === undefined
          ? (["action", action, undefined] as const)
          : (["project", project, action] as const);
      if (target === undefined || other !== undefined)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "project", description: "it is attached to one of project and action" }],
        });
      const { attachment, view, createdAt } = await validations().attach({ validation, scope, target, mode });
      return { ...toWireAttachment(attachment, view), created_at: iso(createdAt) };
    },
    async "_cleveragents/registry/validation/detach"(params) {
      return { attachment_id: await validations().detach(params.attachment_id), detached: true };
    },
  };
}
