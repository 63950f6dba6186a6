import { a2aCommand } from "../a2a/a2a-command.ts";
import { SECRET_SETTINGS, SETTINGS, type SettingName } from "../a2a/settings.ts";
import { field } from "../a2a/task-text.ts";

/** Each setting with where it is from; what is secret is only said to be there. */
export const command = a2aCommand(async (run) => {
  const { settings } = run;
  const shown = (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const found = settings.find(name);
    if (found === undefined) return { name, value: null, origin: "not set" };
    return { name, value: SECRET_SETTINGS.has(name) ? "[redacted]" : found.value, origin: found.origin };
  });
  await run.emit(
    { settings: shown },
    {
      text: (given) =>
        given.settings
          .map(({ name, value, origin }) => field(name, value === null ? origin : `${value} (${origin})`))
          .join("\n"),
      names: () => shown.filter(({ value }) => value !== null).map(({ name }) => name),
    },
  );
});
