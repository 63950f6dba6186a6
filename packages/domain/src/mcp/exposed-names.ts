import { utf8 } from "../text/utf8.ts";

/** What providers of models take as the name of a tool, less what the prefix of ours becomes there. */
const LONGEST = 59;
const CLEAN = /^[A-Za-z0-9_-]+$/;
const HASHED = /_[0-9a-f]{10}$/;

/**
 * The name under which a tool of a server is offered: the same at every start and whatever else is registered, of
 * letters, digits, `_` and `-` only, and short enough for every provider. Where server and tool can be read from it as
 * they are it is both of them; else it ends in a hash of them. Nobody takes it apart: who offers it keeps what it means.
 */
export function exposedToolName(server: string, tool: string): string {
  const label = server.startsWith("local/") ? server.slice("local/".length) : server;
  const plain = `${label}__${tool}`;
  if (isUnambiguous(label, tool) && plain.length <= LONGEST && !HASHED.test(plain)) return plain;
  const hash = hashOf(`${server}\0${tool}`);
  const room = LONGEST - hash.length - "__".length - "_".length;
  const shortTool = cleaned(tool).slice(0, room - Math.min(cleaned(label).length, 16));
  return `${cleaned(label).slice(0, room - shortTool.length)}__${shortTool}_${hash}`;
}

/** Only one pair of names can be put together to this. */
function isUnambiguous(label: string, tool: string): boolean {
  return (
    CLEAN.test(label) &&
    CLEAN.test(tool) &&
    !label.includes("__") &&
    !tool.includes("__") &&
    !label.endsWith("_") &&
    !tool.startsWith("_")
  );
}

function cleaned(text: string): string {
  return (
    text
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^_+|_+$/g, "") || "x"
  );
}

/** Two rounds of FNV-1a over 32 bits, ten digits of it: names are told apart by it, and nothing is proved by it. */
function hashOf(text: string): string {
  const bytes = [...utf8(text)];
  const round = (seed: number): number => {
    let hash = seed;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash >>> 0;
  };
  const hex = (value: number): string => value.toString(16).padStart(8, "0");
  return `${hex(round(0x811c9dc5))}${hex(round(0x9747b28c))}`.slice(3, 13);
}
