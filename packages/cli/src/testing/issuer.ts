import type { FakeCliOptions } from "./fake-cli.ts";

const ISSUER = "https://login.example";
export const TOKEN_URL = `${ISSUER}/token`;
const DEVICE_URL = `${ISSUER}/device`;
export const METADATA_URL = `${ISSUER}/.well-known/openid-configuration`;

export interface IssuerOptions {
  /** What the token endpoint answers, in turn; the last one again and again. */
  readonly answers?: readonly object[];
  readonly interval?: number;
}

export const TOKEN = { access_token: "t-1", token_type: "Bearer", expires_in: 3600, refresh_token: "r-1" };
export const refuses = (error: string) => ({ error });

/** Who gives out tokens, as a stranger's card names it; its answers are written down. */
export class Issuer {
  /** Forms that came to the token endpoint, and to the one for devices. */
  readonly asked: Record<string, string>[] = [];
  readonly credentials: (string | null)[] = [];
  readonly #options: IssuerOptions;
  #times = 0;

  constructor(options: IssuerOptions = {}) {
    this.#options = options;
  }

  get pages(): NonNullable<FakeCliOptions["pages"]> {
    return {
      [METADATA_URL]: () =>
        Response.json({
          issuer: ISSUER,
          token_endpoint: TOKEN_URL,
          device_authorization_endpoint: DEVICE_URL,
          authorization_endpoint: `${ISSUER}/authorize`,
          grant_types_supported: ["authorization_code", "client_credentials"],
        }),
      [DEVICE_URL]: async (request: Request) => {
        await this.#note(request);
        return Response.json({
          device_code: "device-secret",
          user_code: "ABCD-EFGH",
          verification_uri: `${ISSUER}/activate`,
          expires_in: 600,
          interval: this.#options.interval ?? 0.01,
        });
      },
      [TOKEN_URL]: async (request: Request) => {
        await this.#note(request);
        const { answers = [TOKEN] } = this.#options;
        const answer = answers[Math.min(this.#times, answers.length - 1)] ?? {};
        this.#times += 1;
        return Response.json(answer, { status: "error" in answer ? 400 : 200 });
      },
    };
  }

  async #note(request: Request): Promise<void> {
    this.asked.push(Object.fromEntries(new URLSearchParams(await request.text())));
    this.credentials.push(request.headers.get("authorization"));
  }
}

const OAUTH = {
  deviceCode: { deviceAuthorizationUrl: DEVICE_URL, tokenUrl: TOKEN_URL, scopes: { "agent:use": "use it" } },
  authorizationCode: { authorizationUrl: `${ISSUER}/authorize`, tokenUrl: TOKEN_URL, scopes: {} },
  clientCredentials: { tokenUrl: TOKEN_URL, scopes: {} },
};

/** Members of a card that asks for a token of that issuer, by OAuth or by OpenID Connect. */
export const oauthCard = (flows: readonly (keyof typeof OAUTH)[] = ["deviceCode"]) => ({
  securitySchemes: {
    oauth: {
      oauth2SecurityScheme: { flows: Object.fromEntries(flows.map((flow) => [flow, OAUTH[flow]])) },
    },
  },
  securityRequirements: [{ schemes: { oauth: { list: [] } } }],
});
export const openIdCard = () => ({
  securitySchemes: { oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: METADATA_URL } } },
  securityRequirements: [{ schemes: { oidc: { list: [] } } }],
});
