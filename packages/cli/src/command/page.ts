import type { Values } from "./values.ts";

/** The paging flags as parameters of a list. */
export function pageParams(values: Values) {
  return { page_size: values.number("page-size"), page_token: values.text("page-token") };
}

/** Says on stderr how to get the next page, if there is one. */
export function moreNote({
  total,
  next_page_token,
}: {
  readonly total: number;
  readonly next_page_token: string;
}): string | undefined {
  return next_page_token === ""
    ? undefined
    : `There are more (${total} in all): --page-token ${next_page_token}`;
}
