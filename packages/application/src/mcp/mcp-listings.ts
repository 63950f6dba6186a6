import {
  EntryExistsError,
  EntryNotFoundError,
  type JsonObject,
  listingChanges,
  type McpListing,
  McpListingSchema,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";

export interface StoredListing {
  readonly status: "unchanged" | "refreshed";
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Puts a list in the place of the one before, as one: nobody ever sees a half of it, or none. */
export async function storeListing(
  registry: RegistryStore,
  name: string,
  listing: McpListing,
): Promise<StoredListing> {
  const entry = await registry.find("mcp_tools", name);
  const before = entry && McpListingSchema.safeParse(entry.document).data;
  const changes = listingChanges(before?.tools ?? [], listing.tools);
  const isSame =
    before?.hash === listing.hash &&
    before.of === listing.of &&
    before.protocol === listing.protocol &&
    before.server.version === listing.server.version;
  if (isSame) return { status: "unchanged", ...changes };
  const { found_at: now } = listing;
  const kept = {
    kind: "mcp_tools",
    name,
    document: listing as unknown as JsonObject, // it came as JSON, and its optional keys are absent
    createdAt: entry?.createdAt ?? now,
    updatedAt: now,
  } as const;
  try {
    await (entry === undefined ? registry.add(kept) : registry.replace(kept));
  } catch (error) {
    // Another process was quicker: what it has found is as good.
    if (!(error instanceof EntryExistsError || error instanceof EntryNotFoundError)) throw error;
  }
  return { status: "refreshed", ...changes };
}
