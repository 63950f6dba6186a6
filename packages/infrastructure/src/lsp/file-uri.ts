import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { within } from "../tools/within.ts";

/**
 * What a URI of a file means, by whichever spelling: servers write `%61` for `a`, `c%3A` for `C:`, and leave out what
 * others encode. Undefined for everything that is no file of this host.
 */
export function fileOf(uri: string): string | undefined {
  const drive = /^file:\/\/\/?([a-z])(?::|%3a)(\/.*|)$/i.exec(uri);
  try {
    if (drive !== null) return `/${drive[1]?.toLowerCase()}:${decodeURIComponent(drive[2] as string)}`;
    if (!uri.toLowerCase().startsWith("file:")) return undefined;
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Between the files of a plan's copy and what a server calls them, which may see it at another place. */
export class ServerPaths {
  readonly #root: string;
  readonly #seenAt: string;

  /** `root`: where the copy really lies; `seenAt`: where the server sees it. */
  constructor(root: string, seenAt: string) {
    this.#root = root;
    this.#seenAt = seenAt;
  }

  /** Of a path that is relative to the project. */
  toUri(relative: string): string {
    return pathToFileURL(path.join(this.#seenAt, relative)).href;
  }

  /** The absolute path by which the server knows it. */
  seen(relative: string): string {
    return path.join(this.#seenAt, relative);
  }

  /** Relative to the project; undefined for what lies elsewhere. */
  toRelative(uri: string): string | undefined {
    const file = fileOf(uri);
    if (file === undefined) return undefined;
    return within(this.#seenAt, file) ?? within(this.#root, file);
  }

  /** For people: relative to the project, or from the package that it is of; never where that lies on this host. */
  shown(uri: string): { readonly path: string; readonly outside?: true } {
    const relative = this.toRelative(uri);
    if (relative !== undefined) return { path: relative };
    const file = fileOf(uri);
    if (file === undefined) return { path: uri.slice(0, 200), outside: true };
    const packaged =
      /(?:^|\/)(?:node_modules|site-packages|dist-packages|typeshed)\/(?!.*\/(?:node_modules|site-packages)\/)(.*)$/.exec(
        file,
      );
    return { path: packaged?.[1] ?? path.basename(file), outside: true };
  }

  /** A server's own words without the places of this host. */
  clean(text: string): string {
    return [this.#seenAt, this.#root]
      .flatMap((place) => [`${pathToFileURL(place).href}/`, pathToFileURL(place).href, `${place}/`, place])
      .reduce((cleaned, place) => cleaned.replaceAll(place, place.endsWith("/") ? "" : "."), text);
  }
}
