const NODE = ["tsconfig.json", "jsconfig.json", "package.json"];
const PYTHON = ["pyrightconfig.json", "pyproject.toml", "setup.cfg", "setup.py"];
const NATIVE = ["compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt"];
const JVM = ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "pom.xml"];

const MARKERS: Readonly<Record<string, readonly string[]>> = {
  typescript: NODE,
  typescriptreact: NODE,
  javascript: NODE,
  javascriptreact: NODE,
  vue: NODE,
  svelte: NODE,
  python: PYTHON,
  go: ["go.work", "go.mod"],
  rust: ["Cargo.toml"],
  c: NATIVE,
  cpp: NATIVE,
  java: JVM,
  kotlin: JVM,
  groovy: JVM,
  scala: ["build.sbt", ...JVM],
  ruby: ["Gemfile"],
  php: ["composer.json"],
  elixir: ["mix.exs"],
  haskell: ["cabal.project", "stack.yaml"],
  dart: ["pubspec.yaml"],
  swift: ["Package.swift"],
  zig: ["build.zig"],
};

/** Files that stand where the part of a project begins that a language's server works on. */
export function rootMarkers(languages: readonly string[]): readonly string[] {
  return [...new Set(languages.flatMap((language) => MARKERS[language] ?? []))];
}
