import { basename, dirname, join } from "node:path";
import { type Client, RemoteError } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";

const FILE = ".cleveragents.toml";
const TEMPLATE = `# How agents prints and waits in this project; agents config list --origin shows what counts, and from where.
# Whom it speaks to, and with which credential, is never read from here.

# [core]
# format = "text"    # json, yaml, name
# timeout = 60       # seconds
`;

export const command: Command = {
  async run(invocation) {
    const { context, options, values, output } = invocation;
    const root = await projectFolder(context);
    const client = await invocation.client();
    const { name, isNew } = await registered(client, root, values.text("name"), options.timeoutMs);
    const file = join(root, FILE);
    const hasFile = await context.pathExists(file);
    if (!hasFile) await context.writeBytes(file, new TextEncoder().encode(TEMPLATE));
    const { total } = await client.call(
      "_cleveragents/registry/action/list",
      { page_size: 1 },
      { timeoutMs: options.timeoutMs },
    );
    const next =
      total === 0 ? "agents demo, or agents action add FILE" : `agents plan use ACTION --project ${name}`;
    const made = [...(isNew ? ["project"] : []), ...(hasFile ? [] : ["file"])];
    await output.result(
      { project: name, path: root, file, made },
      {
        text: () =>
          fields([
            ["Project", `${name}${isNew ? "" : " (registered already)"}`],
            ["Folder", root],
            ["Settings", `${file}${hasFile ? " (there already)" : ""}`],
            ["Next", next],
          ]),
        names: () => [name],
      },
    );
    return EXIT.OK;
  },
};

/** The repository that this folder is in, else this folder. */
async function projectFolder({ cwd, home, pathExists }: CliContext): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await pathExists(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) break;
  }
  if (cwd === home || cwd === dirname(cwd))
    throw usageError(
      `${cwd} is no project`,
      "go to a project's folder first, or see one at work: agents demo",
    );
  return cwd;
}

async function registered(
  client: Client,
  path: string,
  asked: string | undefined,
  timeoutMs: number | undefined,
): Promise<{ readonly name: string; readonly isNew: boolean }> {
  for (let page_token = ""; ; ) {
    const page = await client.call(
      "_cleveragents/registry/project/list",
      { page_size: 500, page_token },
      { timeoutMs },
    );
    const there = page.projects.find((project) => project.path === path);
    if (there !== undefined) return { name: there.name, isNew: false };
    page_token = page.next_page_token;
    if (page_token === "") break;
  }
  try {
    const params = { name: asked ?? nameOf(path), path };
    const { name } = await client.call("_cleveragents/registry/project/add", params, { timeoutMs });
    return { name, isNew: true };
  } catch (error) {
    if (!RemoteError.is(error) || error.reason !== "ALREADY_EXISTS") throw error;
    throw new CliError("ALREADY_EXISTS", `${asked ?? nameOf(path)} is another folder's name already`, {
      cause: error,
      hint: "choose another one: agents init --name local/NAME",
    });
  }
}

/** A folder's name as registries take it. */
function nameOf(path: string): string {
  const word = basename(path)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replaceAll("ß", "ss")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[^A-Za-z]+|-+$/g, "");
  return `local/${word === "" ? "project" : word}`;
}
