/** Whether a text can be a pattern for names of tools: `*` stands for any characters. */
export function isToolPattern(text: string): boolean {
  return text !== "" && text.length <= 256 && !/[\n\r\0]/.test(text);
}

/** Whether a name fits a pattern, case and all. */
export function fitsToolPattern(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Whether a tool of a server is offered: among the included ones, if any are named, and not excluded. */
export function isOffered(
  name: string,
  { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): boolean {
  const fits = (pattern: string): boolean => fitsToolPattern(pattern, name);
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}
