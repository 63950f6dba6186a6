/** Collects bytes in one buffer that doubles as it fills, so that any number of small pieces costs linear time. */
export class ByteBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get last(): number | undefined {
    return this.#length === 0 ? undefined : this.#bytes[this.#length - 1];
  }

  /** `atMost` is what the whole can become: room beyond it is not taken. */
  push(piece: Uint8Array, atMost: number): void {
    this.#makeRoom(piece.length, atMost);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  pushByte(byte: number): void {
    this.#makeRoom(1, Number.POSITIVE_INFINITY);
    this.#bytes[this.#length++] = byte;
  }

  /** What was collected; the buffer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }

  #makeRoom(more: number, atMost: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, Math.min(atMost, Math.max(64, this.#bytes.length * 2))));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
