// The layers, written once: package -> what it may import -> because. The rules below are made from it,
// and tests/architecture proves that each of them bites.
//
// A workspace import resolves through the source condition to packages/<name>/src/…, symlinks followed,
// built or not. An import that pnpm did not link keeps its bare name, so each pattern matches both spellings.

const SCOPE = "@cleveragents";

const LAYERS = {
  protocol: {
    mayImport: [],
    npm: ["zod", "ulid"],
    pure: true,
    because: "third parties install it alone, and browsers load it",
    instead: "Put what both sides need to agree on here, and map it to the domain in application/src/wire.",
  },
  domain: {
    mayImport: [],
    npm: ["ulid", "zod"],
    pure: true,
    because: "the rules hold with no server around them",
    instead: "Take the value as an argument, or declare a port in application/src/ports.",
  },
  application: {
    mayImport: ["protocol", "domain"],
    because: "it orchestrates through ports and knows no technology",
    instead: "Declare a port in application/src/ports and let an adapter in infrastructure implement it.",
  },
  infrastructure: {
    mayImport: ["protocol", "domain", "application"],
    inTests: ["testing"],
    because: "adapters implement the application's ports, whoever calls them",
    instead: "Implement a port of application; apps/server joins the adapter to its callers.",
  },
  "transport-stdio": {
    mayImport: ["protocol"],
    because: "third parties serve their own dispatcher over it",
    instead: "Speak to the Dispatcher and Authenticator interfaces of protocol; apps/server passes them in.",
  },
  "transport-http": {
    mayImport: ["protocol"],
    because: "third parties serve their own dispatcher over it",
    instead: "Speak to the Dispatcher and Authenticator interfaces of protocol; apps/server passes them in.",
  },
  cli: {
    mayImport: ["protocol", "transport-stdio/client", "transport-http/client"],
    inTests: ["testing"],
    because: "it is a client like any other",
    instead: "Call a method of the protocol; if there is none for it, add the method first.",
  },
  testing: {
    mayImport: ["protocol", "domain", "application", "transport-stdio", "transport-http"],
    because: "suites take adapters as arguments and know none",
    instead: "Take what the suite needs as an argument of it.",
  },
};

const names = Object.keys(LAYERS);
/** Test files of a package, or of every one. */
const testsOf = (home) => `^${home}/(test/|.*[.](test|test-d|soak)[.]ts$)`;
const TEST_FILE = testsOf("(?:packages|apps|tests)/[^/]+");
const NPM = ["npm", "npm-dev", "npm-peer", "npm-optional", "npm-bundled", "npm-no-pkg", "npm-unknown"];

/** Every spelling of "domain" or "transport-http/client", resolved or not. */
const target = (entry) => {
  const [name, sub] = entry.split("/");
  return sub === undefined
    ? `^(packages/${name}/|${SCOPE}/${name}(/|$))`
    : `^(packages/${name}/src/${sub}/|${SCOPE}/${name}/${sub}$)`;
};
const anyPackage = `^(packages/|${SCOPE}/)`;
const list = (entries) => (entries.length === 0 ? "no other package of ours" : entries.join(", "));

const layerRules = names.flatMap((name) => {
  const { mayImport, inTests = [], because, instead } = LAYERS[name];
  const rule = (suffix, allowed, from) => ({
    name: `${name}-layer${suffix}`,
    severity: "error",
    comment: `${name} may import ${list(allowed)}: ${because}. ${instead} A new edge needs an ADR and a line in LAYERS.`,
    from,
    to: { path: anyPackage, pathNot: [name, ...allowed].map(target) },
  });
  const here = `^packages/${name}/`;
  return [
    rule("", mayImport, { path: here, pathNot: TEST_FILE }),
    // Tests of a client may also hold the other end of the line.
    rule("-tests", [...mayImport.map((entry) => entry.split("/")[0]), ...inTests], {
      path: testsOf(`packages/${name}`),
    }),
  ];
});

const pureRules = names
  .filter((name) => LAYERS[name].pure)
  .flatMap((name) => {
    const { npm, because } = LAYERS[name];
    const from = { path: `^packages/${name}/src/`, pathNot: TEST_FILE };
    return [
      {
        name: `${name}-npm`,
        severity: "error",
        comment: `${name} uses ${npm.join(" and ")} from npm, nothing else: ${because}. Move the code that needs the library to application or infrastructure.`,
        from,
        to: {
          dependencyTypes: NPM,
          pathNot: [`(^|/)node_modules/(${npm.join("|")})/`, anyPackage, "^apps/"],
        },
      },
      {
        name: `${name}-no-node`,
        severity: "error",
        comment: `${name} uses no Node built-in: ${because}. Take the value as an argument, or do this in an adapter of infrastructure.`,
        from,
        to: { dependencyTypes: ["core"] },
      },
    ];
  });

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...pureRules,
    {
      name: "http-client-no-node",
      severity: "error",
      comment:
        "The HTTP client runs in browsers. Use fetch and web streams, or move the code to transport-http/src/server.",
      from: { path: "^packages/transport-http/src/client/", pathNot: TEST_FILE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "transport-client-without-server",
      severity: "error",
      comment:
        "A client must not load the server of its transport. Move what both need to a file beside the two folders, or to protocol.",
      from: { path: "^packages/(transport-[^/]+)/src/client/", pathNot: TEST_FILE },
      to: { path: "^packages/$1/src/server/" },
    },
    {
      name: "only-apps-wire-infrastructure",
      severity: "error",
      comment:
        "Adapters are chosen in apps/server/src/compose.ts. Take a port as a dependency and let it be passed in.",
      from: { pathNot: "^(apps|tests|bench|packages/infrastructure)/" },
      to: { path: target("infrastructure") },
    },
    {
      name: "nothing-imports-apps",
      severity: "error",
      comment: "Programs are started, not imported. Move what is worth sharing down into a package.",
      from: { pathNot: "^apps/" },
      to: { path: `^(apps/|${SCOPE}/server(/|$))` },
    },
    {
      name: "nothing-imports-tests",
      severity: "error",
      comment: "What a test may share lives in packages/testing. Move it there.",
      from: { path: "^(packages|apps)/" },
      to: { path: `^(tests/|bench/|${SCOPE}/(e2e-tests|architecture-tests|bench)(/|$))` },
    },
    {
      name: "enter-by-the-door",
      severity: "error",
      comment:
        "Import another package by its name and one of its entry points, never a file inside it. If the name is not exported, export it there on purpose.",
      // How both programs are bundled is shared in scripts/.
      from: { path: "^((packages|apps|tests)/[^/]+|bench)/", pathNot: "/tsdown[.]config[.]ts$" },
      to: {
        path: "^((packages|apps|tests)/[^/]+|bench|scripts)/",
        pathNot: "^$1/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "no-test-code-in-src",
      severity: "error",
      comment: "Sources are published, tests are not. Move what the source needs out of the test file.",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: TEST_FILE },
      to: { path: ["[.](test|test-d|soak)[.]ts$", "^(packages|apps)/[^/]+/test/"] },
    },
    {
      name: "testing-only-in-tests",
      severity: "error",
      comment:
        "testing brings vitest and fakes, which no program ships. Import it from test files only, or move what the source needs to the layer it belongs to.",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: [TEST_FILE, "^packages/testing/"] },
      to: { path: target("testing") },
    },
    {
      name: "declared-dependencies-only",
      severity: "error",
      comment:
        "What a package uses stands in its own package.json. Add the library there as `catalog:`, and its version to the catalog.",
      from: { path: "^((packages|apps)/[^/]+|bench)/src/", pathNot: TEST_FILE },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-dev-dependency-in-src",
      severity: "error",
      comment:
        "A published source needs this at run time. Move the entry from devDependencies to dependencies.",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: TEST_FILE },
      // What a package may use if its user has it is a peer, and a development dependency for its own tests.
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      comment:
        "An import that leads nowhere escapes every other rule. Declare the package in package.json and install, or correct the path.",
      from: { pathNot: "^(packages|apps)/[^/]+/bin/" }, // launchers load the bundle, which only a build makes
      to: { couldNotResolve: true },
    },
    {
      name: "no-circular",
      severity: "error",
      comment:
        "Two files that need each other hold a third idea. Give it a file of its own that both import.",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: false, // the root's devDependencies do not count as declared by a package
    preserveSymlinks: false,
    doNotFollow: { path: "(^|/)node_modules/" },
    // Anchored: a bare "dist" would also hide node_modules/<library>/dist from the allow-lists.
    exclude: { path: "^((packages|apps|tests)/[^/]+|bench)/(dist|coverage)/" },
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: [`${SCOPE}/source`, "import", "node", "default"],
      extensions: [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", ".node"],
    },
  },
};
