/** A JSON-RPC call over HTTP. */
export interface PostedCall {
  readonly port: number;
  readonly method: string;
  readonly params: unknown;
}

/** The whole request, written once however often it is sent. */
export function postBytes({ port, method, params }: PostedCall): Buffer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const head = [
    "POST /a2a HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "A2A-Version: 1.0",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
