export { BuiltinToolProvider, type BuiltinToolProviderDeps } from "./builtin-tool-provider.ts";
export { type ConfinedPath, confine, type PathPurpose } from "./confine.ts";
export { ConfinedContextFiles } from "./confined-context-files.ts";
export { CustomToolProvider, type CustomToolProviderDeps } from "./custom-tool-provider.ts";
export { jsonSchemaOf } from "./json-schema-of.ts";
export { jsonSchemaProblem } from "./json-schema-problem.ts";
