import { z } from "zod";

export const HealthCheckParamsSchema = z.object({});
export const HealthCheckResultSchema = z.object({
  status: z.enum(["healthy", "degraded"]),
  version: z.string(),
  service: z.string(),
  timestamp: z.string(),
  checks: z.array(
    z.object({
      id: z.string(),
      status: z.enum(["ok", "warn", "error"]),
      summary: z.string(),
      remediation: z.string().optional(),
    }),
  ),
});
