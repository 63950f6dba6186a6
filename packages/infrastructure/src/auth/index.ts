export { AnyAuthenticator } from "./any-authenticator.ts";
export {
  ApiKeyAuthenticator,
  type ApiKeyAuthenticatorDeps,
  type ApiKeyRecord,
} from "./api-key-authenticator.ts";
export { type MintedApiKey, mintApiKey } from "./mint-api-key.ts";
export {
  type StaticToken,
  StaticTokenAuthenticator,
  type StaticTokenAuthenticatorDeps,
} from "./static-token-authenticator.ts";
