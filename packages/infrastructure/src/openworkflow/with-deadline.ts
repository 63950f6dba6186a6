import type { Backend } from "openworkflow/internal";
import type { EngineStore } from "./engine-store.ts";

/** A store whose calls fail when no answer comes in time. What they asked for may still have happened. */
export function withDeadline(store: EngineStore, ms: number): EngineStore {
  return {
    backend: new Proxy(store.backend, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== "function" || key === "stop") return method;
        return (...args: unknown[]): Promise<unknown> =>
          inTime(Promise.resolve(method.apply(target, args) as unknown), ms);
      },
    }) satisfies Backend,
    findRunId: (...args) => inTime(store.findRunId(...args), ms),
    removeEnded: (...args) => inTime(store.removeEnded(...args), ms),
    close: () => store.close(),
  };
}

async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the engine's database did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
