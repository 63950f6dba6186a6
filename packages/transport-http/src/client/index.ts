export { type FetchCardKeysOptions, fetchCardKeys, readCardKeys } from "./card-keys.ts";
export {
  type CardKey,
  CardSignatureError,
  type CardSignatureReason,
  checkCardSignature,
  type FindCardKey,
} from "./check-card-signature.ts";
export { createHttpTransport, type HttpTransportOptions } from "./create-http-transport.ts";
export {
  createRestClient,
  type RestAnswer,
  type RestClient,
  type RestClientOptions,
  RestError,
  type RestRequest,
} from "./create-rest-client.ts";
export {
  AgentCardError,
  type AgentCardReason,
  cardAddresses,
  type FetchCardOptions,
  type FetchedCard,
  fetchAgentCard,
  fetchCardAt,
} from "./fetch-agent-card.ts";
