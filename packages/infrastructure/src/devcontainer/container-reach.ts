import { z } from "zod";

const Inspected = z
  .array(
    z.object({
      HostConfig: z
        .object({
          Privileged: z.boolean().nullish(),
          NetworkMode: z.string().nullish(),
          PidMode: z.string().nullish(),
          IpcMode: z.string().nullish(),
          CapAdd: z.array(z.string()).nullish(),
          Devices: z.array(z.unknown()).nullish(),
          SecurityOpt: z.array(z.string()).nullish(),
        })
        .optional(),
      Mounts: z.array(z.object({ Type: z.string(), Source: z.string().nullish() })).nullish(),
    }),
  )
  .min(1);

/**
 * How a container that was made reaches out to the host, as the engine's `inspect` tells it: images and features bring
 * settings that no description shows. `own` are folders of the host that are meant to be in it.
 */
export function containerReach(inspected: string, own: readonly string[]): string[] {
  const { HostConfig: host = {}, Mounts: mounts } = Inspected.parse(JSON.parse(inspected))[0] as z.infer<
    typeof Inspected
  >[number];
  const foreign = (mounts ?? []).filter(({ Type, Source }) => Type === "bind" && !own.includes(Source ?? ""));
  const found: string[] = [];
  if (host.Privileged === true) found.push("it is privileged");
  if (host.NetworkMode === "host") found.push("it has the host's network");
  if (host.PidMode === "host") found.push("it sees the host's processes");
  if (host.IpcMode === "host") found.push("it has the host's shared memory");
  if ((host.CapAdd ?? []).length > 0) found.push("it has more rights");
  if ((host.Devices ?? []).length > 0) found.push("it has devices of the host");
  if ((host.SecurityOpt ?? []).some((option) => /unconfined|disable/.test(option)))
    found.push("its protection is taken away");
  if (foreign.length > 0) found.push("it has other folders of the host");
  return found;
}
