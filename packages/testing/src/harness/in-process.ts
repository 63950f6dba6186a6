import { type DispatchAnswer, success } from "@cleveragents/protocol";
import { createDispatcherTransport } from "./dispatcher-transport.ts";
import { type Exchanged, harnessOf, type OpenHarness } from "./harness.ts";
import { lowerCased, overJson } from "./over-json.ts";

/** The dispatcher itself, over JSON text. */
export const inProcess: OpenHarness = async ({ dispatcher }) =>
  harnessOf({
    supports: { batchParameters: "one" },
    connect: (principal) => ({
      transport: createDispatcherTransport(dispatcher, principal),
      async exchange(message, parameters) {
        const controller = new AbortController();
        const context = {
          principal,
          serviceParameters: lowerCased(parameters),
          binding: "in-process",
          signal: controller.signal,
        } as const;
        const answer = await dispatcher.dispatch(message, context);
        const exchanged = await exchangedOf(answer);
        controller.abort();
        return exchanged;
      },
    }),
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
