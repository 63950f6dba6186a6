export { AddressRefusedError, admittedLookup } from "./admitted-lookup.ts";
export { AllowList, AllowListError } from "./allow-list.ts";
export { HttpPushSender, type HttpPushSenderOptions } from "./http-push-sender.ts";
export { WebhookPolicy } from "./webhook-policy.ts";
