import type { InputStream } from "./context.ts";

/** Input that is not touched before somebody asks for it, and let go of afterwards. */
export function createInput(stream: NodeJS.ReadStream): InputStream {
  return {
    isTTY: stream.isTTY === true,
    async readAll() {
      const { text } = await import("node:stream/consumers");
      return text(stream);
    },
    readLine: () =>
      new Promise((resolve, reject) => {
        let text = "";
        const settle = (line: string | undefined) => {
          stream.pause();
          stream.off("data", onData).off("end", onEnd).off("error", reject);
          resolve(line);
        };
        const onData = (chunk: string) => {
          text += chunk;
          const at = text.indexOf("\n");
          if (at !== -1) settle(text.slice(0, at).replace(/\r$/, ""));
        };
        const onEnd = () => settle(text === "" ? undefined : text);
        stream.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", reject).resume();
      }),
  };
}
