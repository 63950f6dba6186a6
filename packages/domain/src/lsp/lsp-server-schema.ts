import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { isKnownLanguage, languageIds } from "./languages.ts";

/** What a language server can be asked for, each a tool `lsp/<name>`. */
export const LSP_CAPABILITIES = [
  "diagnostics",
  "hover",
  "definition",
  "references",
  "completions",
  "signature",
  "symbols",
  "workspace-symbols",
  "rename",
  "code-actions",
  "format",
] as const;
export type LspCapability = (typeof LSP_CAPABILITIES)[number];

/** The same by other names: those of the dotted tools, and those of the protocol. */
const CAPABILITY_SYNONYMS: Readonly<Record<string, LspCapability>> = {
  completion: "completions",
  code_action: "code-actions",
  codeAction: "code-actions",
  "code-action": "code-actions",
  signature_help: "signature",
  signatureHelp: "signature",
  diagnostic: "diagnostics",
  formatting: "format",
  documentSymbol: "symbols",
  workspaceSymbol: "workspace-symbols",
};

/** The capability that a word means; undefined if it means none. */
export function lspCapability(word: string): LspCapability | undefined {
  const bare = word.replace(/^(?:textDocument|workspace|lsp)[/.]/, "");
  if (word === "workspace/symbol") return "workspace-symbols";
  return LSP_CAPABILITIES.find((name) => name === bare) ?? CAPABILITY_SYNONYMS[bare];
}

const Word = z.string().min(1);
const Seconds = z.number().positive().max(86_400);
/** A file's name or path as in shells; `*` within a folder, `**` across them. */
const Pattern = z.string().min(1).max(200);

/** The YAML of a language server, in both forms of the documents. */
export const LspServerSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().optional(),
    /** One language, or `languages`: identifiers as LSP has them, or what people call them. */
    language: Word.optional(),
    languages: z.array(Word).min(1).optional(),
    /** Files that it serves, where its languages do not say that. */
    file_patterns: z.array(Pattern).min(1).optional(),
    command: Word,
    args: z.array(z.string()).default([]),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
    /** `auto`: the folder of the nearest build file above a document; `explicit`: `root_path`, or the project. */
    workspace_mapping: z.enum(["auto", "explicit"]).optional(),
    root_path: Word.optional(),
    /** Handed over when it is initialized. */
    init_options: z.json().optional(),
    initialization: z.json().optional(),
    initialization_options: z.json().optional(),
    /** What it gets when it asks for configuration, by section. */
    settings: z.record(z.string(), z.json()).optional(),
    /** What of it is used; everything that it offers when absent. */
    capabilities: z
      .array(
        z.string().refine((word) => lspCapability(word) !== undefined, {
          error: `not one of ${LSP_CAPABILITIES.join(", ")}`,
        }),
      )
      .min(1)
      .optional(),
    /** Names of the folder's marker files in the place of the usual ones, for `workspace_mapping: auto`. */
    root_markers: z.array(Word).min(1).optional(),
    /** Seconds: until it has initialized, for each request, for diagnostics, and until an unused one is stopped. */
    start_timeout: Seconds.optional(),
    request_timeout: Seconds.optional(),
    diagnostics_timeout: Seconds.optional(),
    idle_timeout: Seconds.optional(),
    /** Its commands need the network: it is granted to it where commands are isolated. */
    network: z.boolean().optional(),
  })
  .superRefine((raw, context) => {
    const issue = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    const languages = [...(raw.language === undefined ? [] : [raw.language]), ...(raw.languages ?? [])];
    if (raw.language !== undefined && raw.languages !== undefined)
      issue(["languages"], "say `language` or `languages`, not both");
    if (languages.length === 0)
      issue(["language"], "a server has a language: say `language`, or `languages`");
    const unknown = languages.find((language) => !isKnownLanguage(language));
    if (unknown !== undefined && raw.file_patterns === undefined)
      issue(
        [raw.language === undefined ? "languages" : "language"],
        `it is not known what files of "${unknown}" are called: say \`file_patterns\``,
      );
    const given = (["init_options", "initialization", "initialization_options"] as const).filter(
      (key) => raw[key] !== undefined,
    );
    if (given.length > 1) issue([given[1] as string], `it says the same as \`${given[0]}\``);
    if (raw.root_path !== undefined && raw.workspace_mapping === "auto")
      issue(["root_path"], "with `workspace_mapping: auto` the folder is found, not said");
    if (raw.root_path !== undefined && /^\/|(^|\/)\.\.(\/|$)/.test(raw.root_path))
      issue(["root_path"], "a folder of the project, relative to it");
  });
export type LspServerDocument = z.output<typeof LspServerSchema>;

/** A registered language server as it is used. */
export interface LspServer {
  readonly name: string;
  readonly description?: string;
  /** Identifiers as LSP has them. */
  readonly languages: readonly string[];
  readonly filePatterns: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workspaceMapping: "auto" | "explicit";
  readonly rootPath?: string;
  readonly rootMarkers?: readonly string[];
  readonly initOptions?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly capabilities: readonly LspCapability[];
  readonly startTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly diagnosticsTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly network: boolean;
}

/** The server that a document describes. */
export function lspServerFrom(document: LspServerDocument): LspServer {
  const { description, root_path, root_markers, settings } = document;
  const initOptions = document.init_options ?? document.initialization ?? document.initialization_options;
  const named = document.languages ?? [document.language as string]; // the schema demands one of them
  const chosen = document.capabilities?.flatMap((word) => lspCapability(word) ?? []);
  return {
    name: document.name,
    ...(description === undefined ? {} : { description }),
    languages: [...new Set(named.flatMap(languageIds))],
    filePatterns: document.file_patterns ?? [],
    command: document.command,
    args: document.args,
    env: document.env,
    workspaceMapping: document.workspace_mapping ?? (root_path === undefined ? "auto" : "explicit"),
    ...(root_path === undefined ? {} : { rootPath: root_path }),
    ...(root_markers === undefined ? {} : { rootMarkers: root_markers }),
    ...(initOptions === undefined ? {} : { initOptions }),
    ...(settings === undefined ? {} : { settings }),
    capabilities: chosen ?? LSP_CAPABILITIES,
    startTimeoutMs: (document.start_timeout ?? 30) * 1000,
    requestTimeoutMs: (document.request_timeout ?? 30) * 1000,
    diagnosticsTimeoutMs: (document.diagnostics_timeout ?? 10) * 1000,
    idleTimeoutMs: (document.idle_timeout ?? 300) * 1000,
    network: document.network ?? false,
  };
}
