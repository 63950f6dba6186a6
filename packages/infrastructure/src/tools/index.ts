export { BuiltinToolProvider, type BuiltinToolProviderDeps } from "./builtin-tool-provider.ts";
export { type ConfinedPath, confine, type PathPurpose } from "./confine.ts";
