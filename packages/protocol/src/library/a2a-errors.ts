/** Errors of the library API by the names that the documents give them; `dispatchOrThrow` throws these. */
export class A2aError extends Error {
  override readonly name: string = "A2aError";
  readonly code: number;
  readonly reason: string;
  readonly data: unknown;
  constructor(
    message: string,
    details: { readonly code: number; readonly reason: string; readonly data?: unknown },
  ) {
    super(message);
    this.code = details.code;
    this.reason = details.reason;
    this.data = details.data;
  }
}

/** The operation is known and not available in this mode. */
export class A2aNotAvailableError extends A2aError {
  override readonly name = "A2aNotAvailableError";
}

export class A2aOperationNotFoundError extends A2aError {
  override readonly name = "A2aOperationNotFoundError";
  readonly operation: string;
  constructor(
    operation: string,
    details: { readonly code: number; readonly reason: string; readonly data?: unknown },
  ) {
    super(`Unknown method: ${operation}`, details);
    this.operation = operation;
  }
}

export class A2aVersionMismatchError extends A2aError {
  override readonly name = "A2aVersionMismatchError";
}
