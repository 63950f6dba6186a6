import type { ResultOf } from "@cleveragents/protocol";
import type { ProfileView } from "../services/profile-service.ts";
import { compact } from "./message.ts";
import { iso } from "./task.ts";

type Item = ResultOf<"_cleveragents/profile/list">["profiles"][number];

export function toProfileItem({ profile, source, isDefault, createdAt, updatedAt }: ProfileView): Item {
  return {
    name: profile.name,
    description: profile.description,
    source,
    is_default: isDefault,
    ...compact({
      created_at: createdAt === undefined ? undefined : iso(createdAt),
      updated_at: updatedAt === undefined ? undefined : iso(updatedAt),
    }),
  };
}

export function toProfileDetail(view: ProfileView): ResultOf<"_cleveragents/profile/show"> {
  const { profile } = view;
  return {
    ...toProfileItem(view),
    thresholds: profile.thresholds,
    require_sandbox: profile.requireSandbox,
    require_isolation: profile.isolation ?? profile.requireIsolation,
    require_checkpoints: profile.requireCheckpoints,
    allow_unsafe_tools: profile.allowUnsafeTools,
    guards: profile.guards,
    budget: profile.budget,
  };
}
