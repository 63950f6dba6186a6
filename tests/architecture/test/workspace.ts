import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import tmp from "tmp";
import { root } from "./cruise.ts";

interface Manifest {
  name: string;
  exports?: Record<string, string | Record<string, string>>;
  devDependencies?: Record<string, string>;
}

/** Folders of the workspace packages, e.g. "packages/domain". */
export const packageFolders = ["packages", "apps", "tests"]
  .flatMap((group) => readdirSync(path.join(root, group)).map((name) => `${group}/${name}`))
  .concat("bench")
  .filter((folder) => existsSync(path.join(root, folder, "package.json")));

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")) as Manifest;

export interface ProbeWorkspace extends Disposable {
  folder: string;
  write(file: string, text: string): void;
}

/**
 * A throw-away copy of the workspace: the real rules and manifests, empty entry points, and a few
 * libraries that exist in name only ("dev-only" is a devDependency of every package). `linked` lays symlinks from every package to every other, as
 * pnpm does for declared dependencies; without them, imports of workspace packages do not resolve.
 * `built` adds the dist folders.
 */
export function createProbeWorkspace(options: { linked: boolean; built: boolean }): ProbeWorkspace {
  const { name: folder, removeCallback } = tmp.dirSync({ unsafeCleanup: true, prefix: "layers-" });
  const write = (file: string, text: string) => {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  for (const file of [".dependency-cruiser.cjs", "tsconfig.base.json", "package.json"]) {
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  // The published file lies in dist, so a rule that hides every dist folder would miss it.
  for (const library of ["zod", "ulid", "left-pad", "dev-only"]) {
    write(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: "dist/index.js" }));
    write(`node_modules/${library}/dist/index.js`, "module.exports = {};\n");
  }
  const manifests = packageFolders.map((home) => ({ home, manifest: manifestOf(home) }));
  for (const { home, manifest } of manifests) {
    write(
      path.join(home, "package.json"),
      JSON.stringify({ ...manifest, devDependencies: { ...manifest.devDependencies, "dev-only": "*" } }),
    );
    for (const conditions of Object.values(manifest.exports ?? {})) {
      if (typeof conditions === "string") continue;
      const files = [conditions["@cleveragents/source"], ...(options.built ? [conditions["default"]] : [])];
      for (const file of files)
        if (file !== undefined) write(path.join(home, file), "export const it = 1;\n");
    }
    if (!options.linked) continue;
    for (const other of manifests) {
      const link = path.join(folder, home, "node_modules", other.manifest.name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(folder, other.home), link);
    }
  }
  return { folder, write, [Symbol.dispose]: removeCallback };
}
