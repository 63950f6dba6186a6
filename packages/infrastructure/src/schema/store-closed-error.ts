/** The store was closed; nothing more is read from it or written to it. */
export class StoreClosedError extends Error {
  override readonly name = "StoreClosedError";
  constructor() {
    super("the store is closed");
  }
}
