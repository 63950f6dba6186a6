import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/auth/key/create",
  params: ({ values }) => ({
    name: values.positional("NAME"),
    principal: values.text("principal"),
    // The server knows the scopes and says which one is wrong.
    ...(values.isSet("scope") ? { scopes: values.list("scope") as never } : {}),
    ...(values.isSet("tenant") ? { tenants: [...values.list("tenant")] } : {}),
    expires_in_days: values.number("expires-in-days"),
  }),
  text: ({ key, principal, scopes, tenants }) =>
    [
      `Key: ${key}`,
      `Principal: ${principal}`,
      `May: ${scopes.join(", ")}`,
      ...(tenants.length === 0 ? [] : [`Tenants: ${tenants.join(", ")}`]),
      "",
      "It is shown this once; keep it safe.",
    ].join("\n"),
  names: ({ key }) => [key],
});
