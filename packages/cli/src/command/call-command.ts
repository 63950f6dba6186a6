import type { ParamsInputOf, ResultOf, UnaryMethod } from "@cleveragents/protocol";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Rendering } from "../output/output.ts";
import type { Command, Invocation } from "./command.ts";

export interface CallSpec<M extends UnaryMethod> extends Rendering<ResultOf<M>> {
  readonly method: M;
  readonly params: (invocation: Invocation) => ParamsInputOf<M> | Promise<ParamsInputOf<M>>;
  /** 0 unless the result says otherwise. */
  readonly exitCode?: (result: ResultOf<M>) => ExitCode;
  /** Told on stderr after the result, e.g. that there are more pages. */
  readonly note?: (result: ResultOf<M>) => string | undefined;
}

/** A command that is one call: parameters from the command line, the result to stdout. */
export function callCommand<M extends UnaryMethod>(spec: CallSpec<M>): Command {
  return {
    async run(invocation) {
      const { options, output } = invocation;
      const params = await spec.params(invocation);
      const client = await invocation.client();
      const result = await client.call(spec.method, params, { timeoutMs: options.timeoutMs });
      await output.result(result, spec);
      const note = spec.note?.(result);
      if (note !== undefined) output.note(note);
      return spec.exitCode?.(result) ?? EXIT.OK;
    },
  };
}
