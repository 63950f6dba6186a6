/** What is kept of a sign-in: for one address, and shown to no other. */
export type Credential =
  | { readonly kind: "token"; readonly token: string }
  | {
      readonly kind: "oauth";
      readonly access_token: string;
      readonly refresh_token?: string;
      /** Milliseconds since the epoch; unknown where the issuer does not say. */
      readonly expires_at?: number;
      readonly token_endpoint: string;
      readonly client_id: string;
      readonly scope?: string;
      /** How it was had: what is not renewed by a refresh token is asked for again in this way. */
      readonly flow: "device" | "authorization-code" | "client-credentials";
    };

/** A credential in a few words, without it. */
export function credentialWords(credential: Credential): string {
  if (credential.kind === "token") return "token or API key";
  const renewed = credential.refresh_token === undefined ? "" : ", renewed by itself";
  return `OAuth, ${credential.flow}${renewed}`;
}

export function expiryOf(credential: Credential): string | undefined {
  if (credential.kind === "token" || credential.expires_at === undefined) return undefined;
  return new Date(credential.expires_at).toISOString();
}
