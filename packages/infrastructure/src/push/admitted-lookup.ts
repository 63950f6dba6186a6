import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { WebhookPolicy } from "./webhook-policy.ts";

/** A name leads to an address that is not admitted. */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
}

/**
 * Looks a name up and judges what it has found, for one connection: a name that resolves to something else a moment later
 * changes nothing. All addresses of a name have to be admitted.
 */
export function admittedLookup(
  policy: WebhookPolicy,
  url: URL,
  resolve: (host: string) => Promise<readonly LookupAddress[]>,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => policy.admits(url, address)))
          callback(new AddressRefusedError(), "");
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}
