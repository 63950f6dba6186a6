export { SystemClock } from "./system-clock.ts";
export { UlidGenerator, type UlidGeneratorDeps } from "./ulid-generator.ts";
