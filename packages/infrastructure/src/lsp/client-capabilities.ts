import type { ClientCapabilities } from "vscode-languageserver-protocol/node";

/** What we do, and nothing that we do not: servers rely on it. */
export const CLIENT_CAPABILITIES: ClientCapabilities = {
  general: {
    positionEncodings: ["utf-16", "utf-8", "utf-32"],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  window: { workDoneProgress: true, showMessage: {} },
  workspace: {
    applyEdit: true,
    workspaceFolders: true,
    configuration: true,
    symbol: {},
    executeCommand: {},
    didChangeConfiguration: {},
    // Told of every change that is made to the plan's copy: nobody has to watch it.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ["create", "rename", "delete"],
      failureHandling: "abort",
      changeAnnotationSupport: { groupsOnLabel: false },
    },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true },
    publishDiagnostics: {
      relatedInformation: true,
      versionSupport: true,
      codeDescriptionSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    hover: { contentFormat: ["markdown", "plaintext"] },
    definition: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    formatting: {},
    signatureHelp: {
      contextSupport: false,
      signatureInformation: {
        documentationFormat: ["markdown", "plaintext"],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    completion: {
      completionItem: {
        // Some answer no completions at all to a client that knows no snippets.
        snippetSupport: true,
        documentationFormat: ["markdown", "plaintext"],
        deprecatedSupport: true,
        labelDetailsSupport: true,
      },
      completionList: { itemDefaults: ["editRange", "insertTextFormat", "insertTextMode", "data"] },
    },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: ["", "quickfix", "refactor", "source", "source.organizeImports", "source.fixAll"],
        },
      },
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ["edit"] },
    },
  },
};
