/** What A2A's interoperability kit asks an agent to do (its `protos/instruction.proto`). */
export type Instruction =
  | { readonly kind: "respond"; readonly response: string; readonly hold: boolean }
  | { readonly kind: "steps"; readonly steps: readonly Instruction[] }
  | { readonly kind: "call"; readonly call: CallAgent };

export interface CallAgent {
  readonly transport: string;
  readonly cardUri: string;
  /** What the agent that is called is to do, as it is sent to it. */
  readonly instruction: Uint8Array;
  readonly streaming: boolean;
  readonly resubscribe: boolean;
  /** Who is to be notified by the agent that is called. */
  readonly notify: string | undefined;
}

/** Undefined where the bytes are no instruction. */
export function readInstruction(bytes: Uint8Array): Instruction | undefined {
  try {
    return instructionOf(bytes);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function instructionOf(bytes: Uint8Array): Instruction {
  const [first] = fieldsOf(bytes);
  switch (first?.number) {
    case 1:
      return { kind: "call", call: callOf(fieldsOf(bytesIn(first))) };
    case 2: {
      const fields = fieldsOf(bytesIn(first));
      return { kind: "respond", response: textIn(find(fields, 1)), hold: find(fields, 2)?.value === 1 };
    }
    case 3:
      return {
        kind: "steps",
        steps: fieldsOf(bytesIn(first)).flatMap((field) =>
          field.number === 1 ? [instructionOf(bytesIn(field))] : [],
        ),
      };
    default:
      throw new RangeError("no instruction");
  }
}

function callOf(fields: readonly Field[]): CallAgent {
  const notify = find(fields, 6);
  return {
    transport: textIn(find(fields, 1)),
    cardUri: textIn(find(fields, 2)),
    instruction: bytesIn(find(fields, 3)),
    streaming: find(fields, 4)?.value === 1,
    resubscribe: find(fields, 7) !== undefined,
    notify: notify === undefined ? undefined : textIn(find(fieldsOf(bytesIn(notify)), 1)),
  };
}

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

const find = (fields: readonly Field[], number: number) => fields.find((field) => field.number === number);

function bytesIn(field: Field | undefined): Uint8Array {
  if (field === undefined) return new Uint8Array();
  if (typeof field.value === "number") throw new RangeError("a number where bytes belong");
  return field.value;
}

const textIn = (field: Field | undefined) => new TextDecoder("utf-8", { fatal: true }).decode(bytesIn(field));

/** The fields of a message in protobuf's encoding; the kit uses numbers and what has a length. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    for (let value = 0, scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("cut off");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError("a number without end");
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const value = varint();
    if (tag % 8 === 0) fields.push({ number, value });
    else if (tag % 8 === 2 && at + value <= bytes.length) {
      fields.push({ number, value: bytes.subarray(at, at + value) });
      at += value;
    } else throw new RangeError("no field of the kit's");
  }
  return fields;
}
