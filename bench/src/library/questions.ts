export type Reply =
  | { readonly ready: string }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string };

interface Question {
  readonly id: number;
  readonly question: string;
  readonly parameters: unknown;
}

/** What a child can be asked. Parameters are what the asker says they are: both sides are in this package. */
export type Answers = Readonly<Record<string, (parameters: never) => unknown>>;

/** Answers the parent's questions, and ends with it. */
export function answerQuestions(answers: Answers): void {
  process.on("message", async ({ id, question, parameters }: Question) => {
    try {
      const answer = answers[question];
      if (answer === undefined) throw new Error(`nobody answers ${question}`);
      reply({ id, answer: await answer(parameters as never) });
    } catch (error) {
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}

export function endWithParent(): void {
  process.on("disconnect", () => process.exit());
}

export function reply(message: Reply): void {
  process.send?.(message);
}

/** Of the process that is asked: microseconds of CPU since it began, bytes in memory after a collection. */
export const usage = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: async () => {
    for (let i = 0; i < 5; i++) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return process.memoryUsage.rss();
  },
} as const satisfies Answers;

/** Milliseconds on a clock that all processes of the machine share. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
