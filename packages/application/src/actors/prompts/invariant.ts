export const INVARIANT_RECONCILIATION = `You are given invariants of a software project and of a piece of work in it, each with an id and a text. Say which of them
contradict each other. Answer with JSON alone: conflicts, each with the two ids and why, in one sentence. Where there are none, an
empty list. Do not judge the work itself.`;
