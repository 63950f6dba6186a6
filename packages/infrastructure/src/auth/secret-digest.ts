import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256, in hexadecimal: enough for secrets that are long and random, and all that is ever stored of them. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Compares two digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
