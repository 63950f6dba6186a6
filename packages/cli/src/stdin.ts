import type { InputStream } from "./context.ts";

/** Input that is not even opened before somebody asks for it, and let go of afterwards. */
export function createInput(open: () => NodeJS.ReadStream): InputStream {
  // Typed ahead of the question that it answers.
  let ahead = "";
  return {
    get isTTY() {
      return open().isTTY === true;
    },
    async readAll() {
      const { text } = await import("node:stream/consumers");
      return text(open());
    },
    readSecret: async () => {
      const { readHidden } = await import("./read-hidden.ts");
      return readHidden(open());
    },
    readLine: (signal) =>
      new Promise((resolve, reject) => {
        const stream = open();
        const settle = (line: string | undefined) => {
          stream.pause();
          stream.off("data", onData).off("end", onEnd).off("error", reject);
          signal?.removeEventListener("abort", onAbort);
          resolve(line);
        };
        const take = () => {
          const at = ahead.indexOf("\n");
          if (at === -1) return false;
          const line = ahead.slice(0, at).replace(/\r$/, "");
          ahead = ahead.slice(at + 1);
          settle(line);
          return true;
        };
        const onData = (chunk: string) => {
          ahead += chunk;
          take();
        };
        const onEnd = () => {
          const line = ahead;
          ahead = "";
          settle(line === "" ? undefined : line);
        };
        const onAbort = () => settle(undefined);
        if (signal?.aborted === true) return onAbort();
        if (take()) return;
        signal?.addEventListener("abort", onAbort);
        stream.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", reject).resume();
      }),
  };
}
