export {
  type AnswerSource,
  answerTokens,
  countTokens,
  type ReceivedRequest,
  type ScriptedAnswer,
  type ScriptedCall,
} from "./answers.ts";
export { ModelServer, type ModelServerOptions } from "./model-server.ts";
