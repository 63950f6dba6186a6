import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { canonicalName } from "../names/name.ts";
import { languageIds } from "./languages.ts";
import type { LspServer } from "./lsp-server-schema.ts";

const Word = z.string().min(1);

/** Which language servers an actor, or a node of its graph, has: by language, by name, or by what lies in the project. */
export const LspBindingSchema = z
  .strictObject({
    language: Word.optional(),
    languages: z.array(Word).min(1).optional(),
    server: NameSchema.optional(),
    servers: z.array(NameSchema).min(1).optional(),
    lsp_servers: z.array(NameSchema).min(1).optional(),
    mode: z.literal("auto").optional(),
    auto_detect: z.boolean().optional(),
  })
  .transform((raw, context): LspBinding => {
    const languages = [...(raw.language === undefined ? [] : [raw.language]), ...(raw.languages ?? [])];
    const servers = [
      ...(raw.server === undefined ? [] : [raw.server]),
      ...(raw.servers ?? []),
      ...(raw.lsp_servers ?? []),
    ].map(canonicalName);
    const auto = raw.mode === "auto" || raw.auto_detect === true;
    if (languages.length === 0 && servers.length === 0 && !auto) {
      context.addIssue({ code: "custom", message: "say `language`, `server`, or `mode: auto`" });
      return z.NEVER;
    }
    return { languages: languages.flatMap(languageIds), servers, auto };
  });

export interface LspBinding {
  /** Identifiers as LSP has them. */
  readonly languages: readonly string[];
  /** Full names. */
  readonly servers: readonly string[];
  /** By the languages of the project's files. */
  readonly auto: boolean;
}

/** Every server of every language that the project has. */
export const AUTO_BINDING: LspBinding = { languages: [], servers: [], auto: true };

/** What is bound and cannot be had. */
export class LspBindingError extends Error {
  override readonly name = "LspBindingError";
  readonly missing: readonly string[];
  constructor(missing: readonly string[]) {
    super(`there is no language server ${missing.join(", ")}`);
    this.missing = missing;
  }
}

/**
 * The servers that a binding means, of those that are registered (by name); a language has the first one that serves
 * it. What was found by looking at the project may be without a server. Throws {@link LspBindingError} for what was
 * named and is not there.
 */
export function boundServers(
  binding: LspBinding,
  registered: readonly LspServer[],
  found: readonly string[],
): readonly LspServer[] {
  const missing: string[] = [];
  const bound = new Set<LspServer>();
  for (const name of binding.servers) {
    const server = registered.find((candidate) => candidate.name === name);
    if (server === undefined) missing.push(name);
    else bound.add(server);
  }
  for (const language of binding.languages) {
    // Of a name that means several dialects one with a server is enough: see languageIds.
    const server = registered.find(({ languages }) => languages.includes(language));
    if (server !== undefined) bound.add(server);
    else if (!binding.languages.some((other) => isDialect(other, language) && serves(registered, other)))
      missing.push(`for ${language}`);
  }
  if (binding.auto) {
    for (const language of found) {
      const server = registered.find(({ languages }) => languages.includes(language));
      if (server !== undefined) bound.add(server);
    }
  }
  if (missing.length > 0) throw new LspBindingError(missing);
  return [...bound];
}

const isDialect = (language: string, dialect: string): boolean =>
  language !== dialect && languageIds(language).includes(dialect);

const serves = (registered: readonly LspServer[], language: string): boolean =>
  registered.some(({ languages }) => languages.includes(language));
