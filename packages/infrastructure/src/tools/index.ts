export { BuiltinToolProvider, type BuiltinToolProviderDeps } from "./builtin-tool-provider.ts";
export { type ConfinedPath, confine, type PathPurpose } from "./confine.ts";
export { CustomToolProvider, type CustomToolProviderDeps } from "./custom-tool-provider.ts";
export { JsonSchemaError, jsonSchemaInput, jsonSchemaProblem } from "./json-schema-input.ts";
export { jsonSchemaOf } from "./json-schema-of.ts";
