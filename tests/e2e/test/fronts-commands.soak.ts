import { test } from "vitest";
import { watchedThroughDeath } from "./watching.ts";

test("plan watch over stdio tells every step once and the plan's real result though its owner is killed", () =>
  watchedThroughDeath("stdio"));
