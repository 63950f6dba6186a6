export { createPinoLogger, type PinoLoggerOptions } from "./pino-logger.ts";
