import { join } from "node:path";
import { test } from "vitest";
import { renameInPlan, repositoryRoot } from "./language-server-plan.ts";

test("a plan asks pyright, renames with it, and leaves fewer errors and no process behind", async () => {
  await renameInPlan({
    path: join(repositoryRoot, "tests/tool-servers/node_modules/.bin"),
    example: "pyright.yaml",
    server: "local/pyright",
    declares: "src/greet.py",
    files: {
      "pyproject.toml": "",
      "src/greet.py": 'party = "🎉"\n\n\ndef gret(name: str) -> str:\n    return party + name\n',
      "src/main.py": 'from greet import greet\n\nsaid: str = greet("you")\n',
    },
  });
});

test("a plan asks TypeScript's own server, renames with it, and leaves fewer errors and no process behind", async () => {
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
