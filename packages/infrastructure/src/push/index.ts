export { AllowListError } from "./allow-list.ts";
export { HttpPushSender, type HttpPushSenderOptions } from "./http-push-sender.ts";
