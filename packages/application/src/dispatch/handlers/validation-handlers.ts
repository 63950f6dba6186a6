import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import { pageByName } from "../../services/page-token.ts";
import type { ValidationService } from "../../services/validation-service.ts";
import { toValidationDetail, toValidationItem, toWireAttachment } from "../../wire/checks.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type ValidationMethod = Extract<MethodName, `_cleveragents/registry/validation/${string}`>;

export function validationHandlers(service: ValidationService | undefined): HandlersOf<ValidationMethod> {
  const validations = () => wired(service, "validation");
  return {
    async "_cleveragents/registry/validation/list"(params) {
      const all = (await validations().list(params.namespace)).map(toValidationItem);
      const { items, ...page } = pageByName(all, params);
      return { validations: [...items], ...page };
    },
    async "_cleveragents/registry/validation/show"(params) {
      return toValidationDetail(await validations().find(params.name));
    },
    async "_cleveragents/registry/validation/add"(params) {
      const { document, file = "document", update = false } = params;
      return toValidationDetail(await validations().add({ document, file, update }));
    },
    async "_cleveragents/registry/validation/remove"(params) {
      return { name: await validations().remove(params.name), removed: true };
    },
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
