import { connect as open, type Socket } from "node:net";

export function connect(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = open({ port, host: "127.0.0.1", noDelay: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}
