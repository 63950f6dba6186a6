export { AnyAuthenticator } from "./any-authenticator.ts";
export { ApiKeyAuthenticator, type ApiKeyAuthenticatorDeps } from "./api-key-authenticator.ts";
export { type CardSignerOptions, createCardSigner, type SignCard, SigningKeyError } from "./card-signer.ts";
export { JwtAuthenticator, type JwtAuthenticatorDeps } from "./jwt-authenticator.ts";
export { mintApiKey } from "./mint-api-key.ts";
export {
  type StaticToken,
  StaticTokenAuthenticator,
  type StaticTokenAuthenticatorDeps,
} from "./static-token-authenticator.ts";
