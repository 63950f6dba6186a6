export {
  type CardKey,
  CardSignatureError,
  type CardSignatureReason,
  checkCardSignature,
  type FindCardKey,
} from "./check-card-signature.ts";
export { createHttpTransport, type HttpTransportOptions } from "./create-http-transport.ts";
