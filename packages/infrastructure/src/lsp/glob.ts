/** A pattern of LSP (`*`, `?`, `**`, `{a,b}`, `[a-z]`, `[!a]`) over paths with slashes; one that is broken matches nothing. */
export function globPattern(glob: string): RegExp {
  try {
    return new RegExp(`^${translated(glob)}$`, "su");
  } catch {
    return /(?!)/;
  }
}

function translated(glob: string): string {
  let pattern = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at);
    const character = glob[at] as string;
    const set = /^\[(!?)([^\]/]+)\]/.exec(rest);
    if (rest.startsWith("**/")) {
      pattern += "(?:[^/]+/)*";
      at += 2;
    } else if (rest.startsWith("**")) {
      pattern += ".*";
      at += 1;
    } else if (character === "*") pattern += "[^/]*";
    else if (character === "?") pattern += "[^/]";
    else if (character === "{") {
      depth += 1;
      pattern += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      pattern += ")";
    } else if (character === "," && depth > 0) pattern += "|";
    else if (set !== null) {
      pattern += `[${set[1] === "!" ? "^" : ""}${(set[2] as string).replace(/[\\\]^]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else pattern += character.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  }
  return pattern;
}
