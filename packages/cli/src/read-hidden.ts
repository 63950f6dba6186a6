const ENTER = ["\r", "\n"];
/** Ctrl-C and Ctrl-D. */
const LEAVE = ["\x03", "\x04"];
const RUB_OUT = ["\b", "\x7f"];

/** A line from a terminal, without showing it. Undefined where whoever types leaves, or input ends. */
export function readHidden(stream: NodeJS.ReadStream): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const settle = (line: string | undefined) => {
      stream.off("data", onData).off("end", onEnd).off("error", reject);
      stream.setRawMode(false);
      stream.pause();
      resolve(line);
    };
    const onData = (chunk: string) => {
      for (const letter of chunk) {
        if (ENTER.includes(letter)) return settle(typed.join(""));
        if (LEAVE.includes(letter)) return settle(undefined);
        if (RUB_OUT.includes(letter)) typed = typed.slice(0, -1);
        else typed.push(letter);
      }
    };
    const onEnd = () => settle(undefined);
    stream.setRawMode(true);
    stream.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", reject).resume();
  });
}
