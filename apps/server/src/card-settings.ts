import { isIP } from "node:net";
import { ConfigError } from "./config-error.ts";
import { trustedUrlSetting, urlSetting } from "./url-setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the agent card says that nobody but the operator can know. */
export interface CardSettings {
  readonly provider: { readonly organization: string; readonly url: string } | undefined;
  readonly documentationUrl: string | undefined;
  readonly iconUrl: string | undefined;
  readonly signing: CardSigning | undefined;
}

export interface CardSigning {
  /** Path of a private key, PEM or JWK. */
  readonly key: string;
  readonly kid: string | undefined;
  /** Where the public key can be had, as a set of keys. */
  readonly jku: string | undefined;
}

/** Throws {@link ConfigError}. */
export function cardSettings(env: Environment): CardSettings {
  const organization = env["A2A_PROVIDER_NAME"]?.trim() || undefined;
  const url = urlSetting("A2A_PROVIDER_URL", env["A2A_PROVIDER_URL"]);
  if ((organization === undefined) !== (url === undefined))
    throw new ConfigError("A2A_PROVIDER_NAME and A2A_PROVIDER_URL belong together: set both or none");
  const key = env["A2A_CARD_SIGNING_KEY"] || undefined;
  const kid = env["A2A_CARD_SIGNING_KID"] || undefined;
  const jku = trustedUrlSetting("A2A_CARD_SIGNING_JKU", env["A2A_CARD_SIGNING_JKU"]);
  if (key === undefined && (kid !== undefined || jku !== undefined))
    throw new ConfigError("A2A_CARD_SIGNING_KEY is missing: the path of a private key, PEM or JWK");
  return {
    provider: organization === undefined || url === undefined ? undefined : { organization, url },
    documentationUrl: urlSetting("A2A_DOCUMENTATION_URL", env["A2A_DOCUMENTATION_URL"]),
    iconUrl: urlSetting("A2A_ICON_URL", env["A2A_ICON_URL"]),
    signing: key === undefined ? undefined : { key, kid, jku },
  };
}

/** Addresses or networks, separated by commas, whose forwarded headers are believed. */
export function trustedProxies(env: Environment): readonly string[] {
  const proxies = (env["A2A_TRUSTED_PROXIES"] ?? "")
    .split(",")
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== "");
  for (const proxy of proxies)
    if (!isNetwork(proxy))
      throw new ConfigError(`A2A_TRUSTED_PROXIES names "${proxy}": use addresses or networks, 10.0.0.0/8`);
  return proxies;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
