/** A small project for the first five minutes: no dependency, a test that runs in a moment, something to tidy up. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "greeter", version: "1.0.0", private: true, type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "README.md": "# greeter\n\nSays hello. `npm test` checks that it does.\n",
  "src/greet.js": `/** A greeting for somebody. */
export function greet(name) {
  return "Hello " + name;
}
`,
  "test/greet.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "../src/greet.js";

test("greets by name", () => {
  assert.equal(greet("Ada"), "Hello Ada");
});
`,
  "docs/old-notes.md": "These notes are out of date.\n",
};

export const DEMO_PROJECT = "local/demo";
export const DEMO_DESCRIPTION = "The bundled demo project";
export const DEMO_ACTION = "local/polite-greeting";

/** The action that works on it; an example of everything that a script can do. */
export const DEMO_ACTION_YAML = `name: ${DEMO_ACTION}
description: Make the greeting polite, in the style that is asked for
definition_of_done: The greeting has the new wording and the project's tests pass
arguments:
  - name: style
    type: string
    description: formal or friendly
    default: friendly
script:
  decisions:
    - id: wording
      question: Which greeting fits the style {{ args.style }}?
      alternatives:
        - { id: formal, description: "Good day, NAME." }
        - { id: friendly, description: "Hello, NAME!" }
      choose:
        - { when: 'args.style == "formal"', choice: formal, confidence: 0.9, rationale: the style was asked for }
        - { choice: friendly, confidence: 0.8, rationale: it is what most people expect }
    - id: notes
      question: What about the old notes?
      parent: wording
      alternatives:
        - { id: delete, description: they are out of date }
        - { id: keep, description: somebody may read them }
      choose:
        - { choice: delete, confidence: 0.7, rationale: they say so themselves }
  steps:
    - name: source
      read: { path: src/greet.js }
    - edit:
        path: src/greet.js
        find: 'return "Hello " + name;'
        replace: 'return \`{{ decisions.wording == "formal" ? "Good day" : "Hello" }}, $\${name}{{ decisions.wording == "formal" ? "." : "!" }}\`;'
    - edit:
        path: test/greet.test.js
        find: '"Hello Ada"'
        replace: '"{{ decisions.wording == "formal" ? "Good day, Ada." : "Hello, Ada!" }}"'
    - write:
        path: CHANGELOG.md
        content: |
          # Changes

          - The greeting is {{ decisions.wording }} now.
    - when: 'decisions.notes == "delete"'
      delete: { path: docs/old-notes.md }
    - name: tests
      run: { command: node --test, timeout: 120 }
`;
