import { callCommand } from "../command/call-command.ts";
import { EXIT } from "../exit-codes.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/actor/test",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ name, model, probes, plans, conversations }, page) => {
    const { green, yellow, red } = page.paint;
    const colours: Readonly<Record<string, (text: string) => string>> = {
      ok: green,
      lacking: yellow,
      failed: red,
    };
    const uses = plans
      ? "plans and conversations"
      : conversations
        ? "conversations, not for plans"
        : "nothing yet";
    const colour = plans ? green : conversations ? yellow : red;
    const rows = table(
      probes,
      [
        { head: "PROBE", cell: ({ probe }) => probe },
        {
          head: "VERDICT",
          cell: ({ verdict }) => verdict,
          paint: (text, { verdict }) => colours[verdict]?.(text) ?? text,
        },
        { head: "DETAIL", cell: ({ detail }) => detail, shrinkTo: 20, wrap: true },
      ],
      page,
    );
    return `${name} (${model}) is of use for ${colour(uses)}.\n${rows}`;
  },
  names: ({ probes }) => probes.filter(({ verdict }) => verdict === "ok").map(({ probe }) => probe),
  exitCode: ({ plans }) => (plans ? EXIT.OK : EXIT.FAILED),
});
