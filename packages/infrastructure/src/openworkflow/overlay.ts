import type { Backend } from "openworkflow/internal";

/** A backend with some methods replaced. */
export function overlay(backend: Backend, replaced: Partial<Backend>): Backend {
  return new Proxy(backend, {
    get(target, key) {
      const method: unknown = Reflect.get(replaced, key) ?? Reflect.get(target, key);
      // Bound to the backend itself: its private state is not on the proxy.
      return typeof method === "function" && !Object.hasOwn(replaced, key) ? method.bind(target) : method;
    },
  });
}
