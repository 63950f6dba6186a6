export { scriptedMessageActor } from "./scripted-message-actor.ts";
