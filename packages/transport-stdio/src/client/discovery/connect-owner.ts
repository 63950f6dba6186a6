import { statSync } from "node:fs";
import { type ClientTransport, TransportError } from "@cleveragents/protocol";
import { createReconnectingTransport } from "../reconnecting-transport.ts";
import { createStreamTransport } from "../stream-transport.ts";
import { type ReachOwnerOptions, reachOwner } from "./reach-owner.ts";

export interface ConnectOwnerOptions extends ReachOwnerOptions {
  /** Only an owner that is there will do for the first connection. */
  readonly firstPresent?: boolean | undefined;
  /** Told when the connection is lost, not when it is closed on this side. */
  readonly onLost?: (() => void) | undefined;
}

/**
 * Connects to the owner of a data directory, starting one if none answers. After a lost connection the next call
 * connects, and if need be starts, again, unless the directory is gone. `TransportError` NOT_CONNECTED when none
 * answers in time, TIMEOUT when one is there and is silent.
 */
export async function connectOwner(options: ConnectOwnerOptions): Promise<ClientTransport> {
  const { dataDir, onLost } = options;
  const connect = (startOwner: ConnectOwnerOptions["startOwner"]) =>
    reachOwner({ ...options, startOwner }, (socket) =>
      createStreamTransport({ input: socket, output: socket }),
    );
  const again = async () => {
    // Starting an owner would make it once more.
    if (statSync(dataDir, { throwIfNoEntry: false }) === undefined)
      throw new TransportError("NOT_CONNECTED", `${dataDir} is gone`);
    return await connect(options.startOwner);
  };
  return createReconnectingTransport(
    again,
    await connect(options.firstPresent === true ? undefined : options.startOwner),
    onLost,
  );
}
