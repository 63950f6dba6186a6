import { join } from "node:path";
import { test } from "vitest";
import { renameInPlan, repositoryRoot } from "./language-server-plan.ts";

test("a plan asks TypeScript's own server, renames with it, and leaves fewer errors and no process behind", {
  timeout: 240_000,
}, async () => {
  await renameInPlan({
    path: join(repositoryRoot, "node_modules/.bin"),
    example: "typescript.yaml",
    server: "local/typescript",
    declares: "src/greet.ts",
    files: {
      "package.json": '{ "type": "module" }\n',
      "tsconfig.json":
        '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext", "types": [] } }\n',
      "src/greet.ts": "export function gret(name: string): string {\n  return `🎉 ${name}`;\n}\n",
      "src/main.ts": 'import { greet } from "./greet.js";\n\nexport const said = greet("you");\n',
    },
  });
});
