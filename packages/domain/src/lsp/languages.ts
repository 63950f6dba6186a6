/** What a language's files are called; the keys are the language identifiers of LSP. */
interface LanguageFiles {
  readonly extensions: readonly string[];
  /** Whole names of files. */
  readonly names?: readonly string[];
}

const LANGUAGES: Readonly<Record<string, LanguageFiles>> = {
  bat: { extensions: ["bat", "cmd"] },
  bibtex: { extensions: ["bib"] },
  c: { extensions: ["c", "h"] },
  clojure: { extensions: ["clj", "cljs", "cljc", "edn"] },
  cpp: { extensions: ["cpp", "cc", "cxx", "hpp", "hh", "hxx"] },
  csharp: { extensions: ["cs"] },
  css: { extensions: ["css"] },
  dart: { extensions: ["dart"] },
  dockerfile: { extensions: ["dockerfile"], names: ["Dockerfile", "Containerfile"] },
  elixir: { extensions: ["ex", "exs"] },
  elm: { extensions: ["elm"] },
  erlang: { extensions: ["erl", "hrl"] },
  fsharp: { extensions: ["fs", "fsi", "fsx"] },
  go: { extensions: ["go"], names: ["go.mod"] },
  graphql: { extensions: ["graphql", "gql"] },
  groovy: { extensions: ["groovy", "gradle"] },
  haskell: { extensions: ["hs"] },
  html: { extensions: ["html", "htm"] },
  java: { extensions: ["java"] },
  javascript: { extensions: ["js", "mjs", "cjs"] },
  javascriptreact: { extensions: ["jsx"] },
  json: { extensions: ["json"] },
  jsonc: { extensions: ["jsonc"] },
  julia: { extensions: ["jl"] },
  kotlin: { extensions: ["kt", "kts"] },
  latex: { extensions: ["tex"] },
  less: { extensions: ["less"] },
  lua: { extensions: ["lua"] },
  makefile: { extensions: ["mk"], names: ["Makefile", "makefile", "GNUmakefile"] },
  markdown: { extensions: ["md", "markdown"] },
  nix: { extensions: ["nix"] },
  "objective-c": { extensions: ["m"] },
  ocaml: { extensions: ["ml", "mli"] },
  perl: { extensions: ["pl", "pm"] },
  php: { extensions: ["php"] },
  powershell: { extensions: ["ps1", "psm1"] },
  proto: { extensions: ["proto"] },
  python: { extensions: ["py", "pyi"] },
  r: { extensions: ["r", "R"] },
  ruby: { extensions: ["rb", "rake", "gemspec"], names: ["Gemfile", "Rakefile"] },
  rust: { extensions: ["rs"] },
  sass: { extensions: ["sass"] },
  scala: { extensions: ["scala", "sbt"] },
  scss: { extensions: ["scss"] },
  shellscript: { extensions: ["sh", "bash", "zsh", "ksh"], names: [".bashrc", ".profile"] },
  sql: { extensions: ["sql"] },
  svelte: { extensions: ["svelte"] },
  swift: { extensions: ["swift"] },
  terraform: { extensions: ["tf", "tfvars"] },
  toml: { extensions: ["toml"] },
  typescript: { extensions: ["ts", "mts", "cts"] },
  typescriptreact: { extensions: ["tsx"] },
  vue: { extensions: ["vue"] },
  xml: { extensions: ["xml", "xsd", "xsl"] },
  yaml: { extensions: ["yaml", "yml"] },
  zig: { extensions: ["zig"] },
};

/** What people call a language, and its dialects that one server serves. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  typescript: ["typescript", "typescriptreact"],
  javascript: ["javascript", "javascriptreact"],
  ts: ["typescript", "typescriptreact"],
  js: ["javascript", "javascriptreact"],
  bash: ["shellscript"],
  shell: ["shellscript"],
  sh: ["shellscript"],
  "c++": ["cpp"],
  "c#": ["csharp"],
  docker: ["dockerfile"],
  tex: ["latex"],
  json: ["json", "jsonc"],
};

const byExtension = new Map<string, string>();
const byName = new Map<string, string>();
for (const [language, { extensions, names = [] }] of Object.entries(LANGUAGES)) {
  for (const extension of extensions) if (!byExtension.has(extension)) byExtension.set(extension, language);
  for (const name of names) byName.set(name, language);
}

/** The language identifiers that a name of a language means; itself where nothing is known of it. */
export function languageIds(language: string): readonly string[] {
  const lower = language.trim().toLowerCase();
  return SYNONYMS[lower] ?? [lower];
}

export function isKnownLanguage(language: string): boolean {
  return languageIds(language).every((id) => Object.hasOwn(LANGUAGES, id));
}

/** The language of a file by its name (its path may stand in front); undefined if nobody can tell. */
export function languageOf(file: string): string | undefined {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? undefined : name.slice(dot + 1);
  const found = byName.get(name) ?? (extension === undefined ? undefined : byExtension.get(extension));
  return found ?? (extension === undefined ? undefined : byExtension.get(extension.toLowerCase()));
}
