import { ProtocolError } from "@cleveragents/protocol";
import type { CardService } from "../../services/card-service.ts";
import type { HandlersOf } from "../method-handlers.ts";

export function cardHandlers(service: CardService | undefined): HandlersOf<"GetExtendedAgentCard"> {
  return {
    async GetExtendedAgentCard(_params, { principal, binding }) {
      if (service === undefined) throw new ProtocolError("ExtendedAgentCardNotConfigured");
      return service.extended(principal, binding);
    },
  };
}
