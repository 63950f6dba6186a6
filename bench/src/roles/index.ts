import type { Role } from "./role.ts";

export type RoleName = "ours" | "sdk" | "bare" | "durable" | "load";

/** Loaded only where they run: a server must not carry another one's code. */
export const roles: Readonly<Record<RoleName, () => Promise<{ begin(options: never): Promise<Role> }>>> = {
  ours: () => import("./ours.ts"),
  sdk: () => import("./sdk.ts"),
  bare: () => import("./bare.ts"),
  durable: () => import("./durable.ts"),
  load: () => import("./load.ts"),
};
