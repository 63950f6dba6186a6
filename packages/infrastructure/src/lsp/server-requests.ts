import path from "node:path";
import type {
  ApplyWorkspaceEditParams,
  ApplyWorkspaceEditResult,
  ConfigurationParams,
  ProtocolConnection,
  RegistrationParams,
  UnregistrationParams,
} from "vscode-languageserver-protocol/node";
import type { Registrations } from "./registrations.ts";

export interface ServerRequests {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly folder: { readonly uri: string; readonly path: string };
  readonly registrations: Registrations;
  /** The edit of a command that we have asked for; false where nobody has. */
  applyEdit(params: ApplyWorkspaceEditParams): boolean;
}

/**
 * Answers whatever a server asks: one that waits for an answer answers nothing itself. What it must not be answered with
 * is left to the connection, which says that there is no such method.
 */
export function answerServer(connection: ProtocolConnection, requests: ServerRequests): void {
  const { settings, folder, registrations } = requests;
  connection.onRequest("workspace/configuration", ({ items }: ConfigurationParams) =>
    items.map(({ section }) => sectionOf(settings, section)),
  );
  connection.onRequest("client/registerCapability", ({ registrations: asked }: RegistrationParams) => {
    registrations.add(asked);
    return null;
  });
  connection.onRequest("client/unregisterCapability", ({ unregisterations }: UnregistrationParams) => {
    registrations.remove(unregisterations);
    return null;
  });
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("workspace/workspaceFolders", () => [
    { uri: folder.uri, name: path.basename(folder.path) },
  ]);
  // Nothing of what it gives is kept, so that nothing has to be asked for again.
  for (const shown of [
    "diagnostic",
    "codeLens",
    "semanticTokens",
    "inlayHint",
    "inlineValue",
    "foldingRange",
  ])
    connection.onRequest(`workspace/${shown}/refresh`, () => null);
  connection.onRequest("window/showMessageRequest", () => null);
  connection.onRequest("window/showDocument", () => ({ success: false }));
  connection.onRequest(
    "workspace/applyEdit",
    (params: ApplyWorkspaceEditParams): ApplyWorkspaceEditResult =>
      requests.applyEdit(params)
        ? { applied: true }
        : { applied: false, failureReason: "nobody has asked for an edit" },
  );
}

/** `a.b` of the settings, whether they are nested or keyed by the whole name; null where nothing is said. */
export function sectionOf(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  if (section === undefined || section === "") return settings;
  if (Object.hasOwn(settings, section)) return settings[section];
  let value: unknown = settings;
  for (const name of section.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}
