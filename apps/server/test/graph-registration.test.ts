import { describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";

const add = ({ client }: Altered, document: string) =>
  client.call("_cleveragents/registry/actor/add", { document, file: "g.yaml" });
const refusal = (server: Altered, document: string) =>
  add(server, document).then(
    () => "taken",
    (error: { data?: unknown }) => JSON.stringify(error.data ?? error),
  );
const HEAD = "actor:\n  name: local/g\n  type: graph\n  description: x\n  model: test/model\n";

describe("a graph that is registered", () => {
  test("is refused with every mistake by its name and line, and is shown as it is kept", async () => {
    await using server = await openAltered();
    const unknown = await refusal(server, `${HEAD}  nodes:\n    a: { type: llm, promt: x }\n`);
    expect(unknown).toContain('unknown key \\"promt\\"; did you mean \\"prompt\\"?');
    expect(unknown).toContain('"file":"g.yaml","line":7');
    const broken = await refusal(
      server,
      `${HEAD}  route:\n    entry_node: a\n    nodes:\n      - { id: a, type: conditional, config: { conditions: [{ check: "vars.", route_to: END }] } }\n`,
    );
    expect(broken).toContain("the expression vars. cannot be read");
    expect(broken).toContain('"file":"g.yaml","line":9');
    expect(
      await refusal(server, `${HEAD}  nodes:\n    a: { type: subgraph, actor: local/lost }\n`),
    ).toContain("there is no actor local/lost");

    await add(
      server,
      "name: part\ntype: graph\ndescription: x\nmodel: test/model\nnodes: { a: { type: llm } }\n",
    );
    await add(server, `${HEAD}  nodes:\n    a: { type: subgraph, actor: part }\n`);
    const circle = await refusal(
      server,
      "name: part\ntype: graph\ndescription: x\nnodes: { a: { type: agent, actor: local/g } }\n",
    ).then(() =>
      server.client
        .call("_cleveragents/registry/actor/update", {
          document:
            "name: part\ntype: graph\ndescription: x\nnodes: { a: { type: agent, actor: local/g } }\n",
        })
        .then(
          () => "taken",
          (error: { data?: unknown }) => JSON.stringify(error.data),
        ),
    );
    expect(circle).toContain("leads in a circle: local/part → local/g → local/part");
    await add(server, "name: s\ntype: script\ndescription: x\nscript: { steps: [{ say: { text: x } }] }\n");
    expect(
      await refusal(
        server,
        `${HEAD}  nodes:\n    a: { type: agent, actor: s }\n`.replace("local/g", "local/h"),
      ),
    ).toContain("s is a script");
    const shown = await server.client.call("_cleveragents/registry/actor/show", { name: "g" });
    expect(JSON.stringify(shown)).toContain('"nodes":{"a":{"type":"subgraph","actor":"local/part"}}');
    await expect(
      server.client.call("_cleveragents/registry/actor/remove", { name: "part" }),
    ).rejects.toThrow();
  });
});
