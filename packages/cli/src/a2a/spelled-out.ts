type Members = Readonly<Record<string, unknown>>;

/**
 * Members of a card whose choices are spelled as A2A has them: `{ apiKeySecurityScheme: … }`. Servers of the official SDK for
 * JavaScript (1.3) serve security schemes as that keeps them, `{ scheme: { $case: "apiKeySecurityScheme", value: … } }`.
 */
export function spelledOut(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, given]) => {
      const { $case, value } = (given ?? {}) as Members;
      return typeof $case === "string" ? [$case, value] : [name, given];
    }),
  );
}
