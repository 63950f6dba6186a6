/** Resolves at the first SIGTERM, SIGINT or SIGHUP; a second one ends the process at once. */
export function untilTold(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (told) process.exit(130);
        told = true;
        resolve(signal);
      });
    }
  });
}
