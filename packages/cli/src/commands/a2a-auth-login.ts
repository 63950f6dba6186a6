import { a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import { resolveCard } from "../a2a/resolve-card.ts";
import { field } from "../a2a/task-text.ts";
import { credentialWords, expiryOf } from "../credentials/credential.ts";
import { credentialFile, keepCredential, readCredentials } from "../credentials/credential-file.ts";
import { obtain } from "../oauth/obtain.ts";

/** A token for any agent whose card declares OAuth or OpenID Connect; later commands send it there by themselves. */
export const command = a2aCommand(async (run) => {
  const { context, settings, fetch, values } = run;
  const reference = settings.text("agent-card");
  if (reference === undefined)
    throw a2aError("USAGE", "AGENT is missing", { hint: "agents a2a auth login https://agents.example" });
  const version = settings.text("a2a-version") ?? "1.0";
  const { card, place } = await resolveCard(
    reference,
    { version, signal: run.soon() },
    { fetch, readFile: context.readFile },
  );
  // Whether it can be kept is known before anybody signs in.
  await readCredentials(context);
  const credential = await obtain(
    { context, values },
    {
      card,
      clientId: settings.text("client-id"),
      clientSecret: settings.credential("client-secret")?.value,
      fetch,
    },
  );
  await keepCredential(context, place, credential);
  const result = {
    agent: place,
    flow: credential.flow,
    scope: credential.scope ?? null,
    expires_at: expiryOf(credential) ?? null,
    file: credentialFile(context),
  };
  await run.emit(result, {
    text: () =>
      [
        field("Agent", place),
        field("Credential", credentialWords(credential)),
        ...(result.scope === null ? [] : [field("Scope", result.scope)]),
        ...(result.expires_at === null ? [] : [field("Expires", result.expires_at)]),
        field("File", result.file),
      ].join("\n"),
    names: () => [place],
  });
});
