import type { MethodName } from "@cleveragents/protocol";
import { pageByName } from "../../services/page-token.ts";
import type { ProfileService } from "../../services/profile-service.ts";
import { toProfileDetail, toProfileItem } from "../../wire/profile.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type ProfileMethod = Extract<MethodName, `_cleveragents/profile/${string}`>;

export function profileHandlers(service: ProfileService | undefined): HandlersOf<ProfileMethod> {
  const profiles = () => wired(service, "profile");
  return {
    async "_cleveragents/profile/list"(params) {
      const all = (await profiles().list(params.namespace)).map(toProfileItem);
      const { items, ...page } = pageByName(all, params);
      return { profiles: [...items], ...page };
    },
    async "_cleveragents/profile/show"(params) {
      return toProfileDetail(await profiles().find(params.name));
    },
    async "_cleveragents/profile/add"(params) {
      const { document, file = "document", update = false } = params;
      return toProfileDetail(await profiles().add({ document, file, update }));
    },
    async "_cleveragents/profile/remove"(params) {
      return { name: await profiles().remove(params.name), removed: true };
    },
  };
}
