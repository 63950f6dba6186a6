#!/usr/bin/env node
// Starts the program on a Node that is new enough ("engines" in package.json), this one if possible.
// It must still parse on an old Node, and cost nothing on a new one: no imports but what is needed.
import module from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major >= 26 || (major === 24 && minor >= 11) || (major === 22 && minor >= 18)) {
  module.enableCompileCache();
  await import("../dist/main.mjs");
} else {
  const { relaunch } = await import("./relaunch.mjs");
  await relaunch(import.meta.url);
}
