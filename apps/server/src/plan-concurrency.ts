/** How many plans are carried out at a time, where nobody says otherwise. */
export const DEFAULT_PLAN_CONCURRENCY = 4;
