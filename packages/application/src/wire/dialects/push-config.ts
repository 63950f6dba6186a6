import { inside, isAbsent, type Json, present } from "./json.ts";

/** A `PushNotificationConfig` of 0.3 as the members of a 1.0 `TaskPushNotificationConfig`. */
export function fromPushConfig(config: unknown): unknown {
  return inside(config, ({ id, url, token, authentication }) =>
    present({ id, url, token, authentication: inside(authentication, fromAuthentication) }),
  );
}

/** 0.3 offers several schemes and one credential; the first one is used. None at all, and no credential, is no authentication. */
function fromAuthentication({ schemes, credentials }: Json): unknown {
  if (Array.isArray(schemes) && schemes.length === 0 && isAbsent(credentials)) return undefined;
  return present({ scheme: Array.isArray(schemes) ? schemes[0] : schemes, credentials });
}

export function toPushConfig({ id, url, token, authentication }: Json): unknown {
  return present({ id, url, token, authentication: inside(authentication, toAuthentication) });
}

function toAuthentication({ scheme, credentials }: Json): unknown {
  return present({ schemes: isAbsent(scheme) || scheme === "" ? [] : [scheme], credentials });
}
