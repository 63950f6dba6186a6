export const ESTIMATION = `You estimate what a piece of work in a software project will take, from its description and from what was decided about it.
Answer with JSON alone: steps (a number), tokens_low and tokens_high, seconds_low and seconds_high, risk (low, medium or high) and
why (one sentence). Say wide ranges where you know little.`;
