/** The library that speaks the protocol; loaded when the first server is started, and never where there is none. */
export type Protocol = typeof import("vscode-languageserver-protocol/node");

let loading: Promise<Protocol> | undefined;

export function loadProtocol(): Promise<Protocol> {
  loading ??= import("vscode-languageserver-protocol/node");
  return loading;
}
