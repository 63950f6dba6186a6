// A plugin of the bundler: takes Node's own modules with `process.getBuiltinModule` instead of `import`.
//
// An import makes an ES module of a builtin one, for which every export is read; reading some of them loads parts of
// Node that nobody asked for (of `node:util` its comparison of texts, of `node:fs` its streams). That is a tenth of the
// time in which a command starts.

/** Of rolldown. */
export function plainBuiltins() {
  return {
    name: "plain-builtins",
    renderChunk(code) {
      let text = code;
      // From the end, so that what stands before keeps its place.
      for (const { start, end, by } of replacements(this.parse(code)).sort((a, b) => b.start - a.start))
        text = text.slice(0, start) + by + text.slice(end);
      return { code: text, map: null };
    },
  };
}

function replacements(program) {
  const found = [];
  const isBuiltin = (source) => typeof source?.value === "string" && source.value.startsWith("node:");
  const visit = (node) => {
    if (node.type === "ImportDeclaration" && isBuiltin(node.source))
      found.push({ ...node, by: declaration(node.specifiers, taken(node.source)) });
    else if (node.type === "ImportExpression" && isBuiltin(node.source))
      found.push({ ...node, by: `Promise.resolve(${taken(node.source)})` });
    else for (const child of Object.values(node).flat()) if (typeof child?.type === "string") visit(child);
  };
  visit(program);
  return found;
}

const taken = ({ value }) => `process.getBuiltinModule("${value}")`;

function declaration(specifiers, module) {
  const isPart = ({ type, imported }) => type === "ImportSpecifier" && imported.name !== "default";
  const whole = specifiers.filter((one) => !isPart(one)).map(({ local }) => `${local.name} = ${module}`);
  const parts = specifiers.filter(isPart).map(({ local, imported }) => `${imported.name}: ${local.name}`);
  const all = parts.length === 0 ? whole : [...whole, `{ ${parts.join(", ")} } = ${module}`];
  return all.length === 0 ? "" : `const ${all.join(", ")};`;
}
