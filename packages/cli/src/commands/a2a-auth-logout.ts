import { a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import { resolveCard } from "../a2a/resolve-card.ts";
import { field } from "../a2a/task-text.ts";
import { keepCredential, readCredentials } from "../credentials/credential-file.ts";

/** Forgets what `auth login` has kept for an agent. */
export const command = a2aCommand(async (run) => {
  const { context, settings, fetch } = run;
  const reference = settings.text("agent-card");
  if (reference === undefined)
    throw a2aError("USAGE", "AGENT is missing", { hint: "agents a2a auth logout https://agents.example" });
  const kept = await readCredentials(context);
  // An agent that is gone can be forgotten by the address that the sign-in told.
  const place = Object.hasOwn(kept, reference)
    ? reference
    : (
        await resolveCard(
          reference,
          { version: settings.text("a2a-version") ?? "1.0", signal: run.soon() },
          { fetch, readFile: context.readFile },
        )
      ).place;
  const forgotten = await keepCredential(context, place, undefined);
  await run.emit(
    { agent: place, forgotten },
    {
      text: () =>
        [field("Agent", place), field("Forgotten", forgotten ? "yes" : "there was nothing")].join("\n"),
      names: () => [place],
    },
  );
});
