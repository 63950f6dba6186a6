import { type DispatchAnswer, success } from "@cleveragents/protocol";
import { createDispatcherTransport } from "./dispatcher-transport.ts";
import { type Exchanged, harnessOf, type OpenHarness, type Parameters } from "./harness.ts";
import { lowerCased, overJson } from "./over-json.ts";

/** The dispatcher itself, over JSON text. */
export const inProcess: OpenHarness = async ({ dispatcher }) =>
  harnessOf({
    supports: { batchParameters: "one", stdio: false },
    connect(principal) {
      const dispatch = (message: string | Uint8Array, parameters: Parameters, { signal }: AbortController) =>
        dispatcher.dispatch(message, {
          principal,
          serviceParameters: lowerCased(parameters),
          binding: "in-process",
          signal,
        });
      return {
        transport: createDispatcherTransport(dispatcher, principal),
        async exchange(message, parameters) {
          const controller = new AbortController();
          const exchanged = await exchangedOf(await dispatch(message, parameters, controller));
          controller.abort();
          return exchanged;
        },
        async *follow(message, parameters) {
          const controller = new AbortController();
          try {
            const answer = await dispatch(message, parameters, controller);
            if (answer.kind === "one") yield overJson(answer.response);
            if (answer.kind !== "stream") return;
            for await (const { result } of answer.elements) yield overJson(success(answer.id, result));
          } finally {
            controller.abort();
          }
        },
      };
    },
    close: async () => undefined,
  });

async function exchangedOf(answer: DispatchAnswer): Promise<Exchanged> {
  switch (answer.kind) {
    case "none":
      return { answer: undefined, parameters: {} };
    case "one":
      return { answer: overJson(answer.response), parameters: lowerCased(answer.serviceParameters) };
    case "batch":
      return { answer: overJson(answer.responses), parameters: lowerCased(answer.serviceParameters) };
    case "stream": {
      const iterator = answer.elements[Symbol.asyncIterator]();
      const first = await iterator.next();
      await iterator.return?.();
      const response = first.done === true ? undefined : success(answer.id, first.value.result);
      return {
        answer: response === undefined ? undefined : overJson(response),
        parameters: lowerCased(answer.serviceParameters),
      };
    }
  }
}
