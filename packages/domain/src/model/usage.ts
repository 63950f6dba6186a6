/** Tokens of a model's answer. The four are disjoint: what came from a cache is in none of the others. */
export interface TokenUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Reasoning included. */
  readonly output: number;
}

/** What a million tokens cost, in US dollars. What is read from a cache, or written to one, costs as input unless said. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number | undefined;
  readonly cache_write?: number | undefined;
}

export const NO_TOKENS: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function totalTokens({ input, cacheRead, cacheWrite, output }: TokenUsage): number {
  return input + cacheRead + cacheWrite + output;
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

/** In US dollars, to a millionth of one. */
export function costOf(usage: TokenUsage, prices: Prices): number {
  const { input, output, cache_read = input, cache_write = input } = prices;
  const cost =
    usage.input * input +
    usage.cacheRead * cache_read +
    usage.cacheWrite * cache_write +
    usage.output * output;
  return Math.round(cost) / 1e6;
}

/**
 * About how many tokens a text has, for models whose counter nobody has: rather too many than too few. Four letters of
 * plain text, three of code; every character beyond ASCII counts as one.
 */
export function estimateTokens(text: string): number {
  let plain = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 128) plain++;
    else other++;
  }
  return Math.ceil(plain / 3.2) + other;
}
