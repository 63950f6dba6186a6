import { type Dispatcher, parseMessage } from "@cleveragents/protocol";

/**
 * The 1.0 kit sends many messages under one id, as if they were new ones each time; the product takes the second for
 * the first sent again, as it must for clients that retry. Gives such messages ids of their own on the way in.
 */
export function withDistinctMessages(dispatcher: Dispatcher): Dispatcher {
  let messages = 0;
  return {
    dispatch(message, context) {
      const parsed =
        typeof message === "string" || message instanceof Uint8Array ? parseMessage(message) : message;
      if (parsed.kind !== "call" || !isObject(parsed.request.params))
        return dispatcher.dispatch(message, context);
      const said = parsed.request.params["message"];
      if (!isObject(said)) return dispatcher.dispatch(message, context);
      const renamed = Object.entries(said).map(([name, value]) =>
        (name === "messageId" || name === "message_id") && String(value).startsWith("tck-")
          ? [name, `${value}#${++messages}`]
          : [name, value],
      );
      const params = { ...parsed.request.params, message: Object.fromEntries(renamed) };
      return dispatcher.dispatch({ ...parsed, request: { ...parsed.request, params } }, context);
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
