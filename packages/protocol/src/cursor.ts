/** `<taskId>:<seq>`: an event's id in a stream, and what `Last-Event-ID` takes. */
export interface Cursor {
  readonly taskId: string;
  readonly seq: number;
}

export function formatCursor(taskId: string, seq: number): string {
  return `${taskId}:${seq}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const match = /^([^:\s]+):(\d{1,15})$/.exec(text);
  return match === null ? undefined : { taskId: match[1] as string, seq: Number(match[2]) };
}
