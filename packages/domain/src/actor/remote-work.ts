import type { JsonObject } from "../task/message.ts";
import type { SubmittedStrategy } from "./conversation.ts";

/** By what something is followed that is done elsewhere. */
export interface RemotePlace {
  readonly contextId?: string;
  readonly taskId?: string;
  /** Of work that has asked: which question that was, so that it is not taken for another one. */
  readonly asked?: string;
}

/** A message that is said to another agent: written down before it is sent, and its task's id before it is waited for. */
export interface RemoteSaid {
  readonly messageId: string;
  readonly text: string;
  /** The same for programs, where there is more of it than somebody's answer. */
  readonly told?: JsonObject;
  /** Paths of files that go along; what they hold is read when it is sent. */
  readonly files?: readonly string[];
  /** What it goes on from. */
  readonly place: RemotePlace;
  /** It answers a question that the other agent has asked. */
  readonly answers?: true;
  /** Once it was taken. */
  readonly taken?: RemotePlace;
}

/** A file that has come with an answer, until the step that writes it is done. */
export interface RemoteFile {
  readonly step: number;
  readonly path: string;
  readonly content: string;
  readonly encoding: "utf8" | "base64";
}

/** What it waits for a human to say. */
export interface RemoteQuestion {
  readonly question: string;
  readonly options: readonly string[];
  /** It wants to know who is asking, and goes on by itself when it knows. */
  readonly credential?: true;
  /** What it is asked with is missing or refused here: the message that waits goes on when that is there. */
  readonly ours?: true;
}

/** What is known of the work of another agent for a plan in one phase. */
export interface RemoteWork {
  /** How often the plan had been taken back when it began. */
  readonly reversions: number;
  readonly attempt: number;
  /** Of who looks on: which question of the attempt it is about. */
  readonly about?: string;
  /** Messages so far, those that came to nothing too. */
  readonly said: number;
  /** How much of the plan's guidance it knows. */
  readonly guided: number;
  readonly place: RemotePlace;
  readonly pending?: RemoteSaid;
  readonly asks?: RemoteQuestion;
  /** What a human has said to that, until it is passed on; empty where it only is to be looked at again. */
  readonly answer?: string;
  /** Why its last answer could not be taken, and how often in a row that was so. */
  readonly remark?: string;
  readonly mistakes?: number;
  /** How often a credential was wanted that was not there. */
  readonly refused?: number;
  readonly files: readonly RemoteFile[];
  /** The steps that write what it has sent. */
  readonly steps: readonly number[];
  /** What it has said in the end. */
  readonly finished?: { readonly summary: string };
  readonly submitted?: SubmittedStrategy;
  /** Work that the plan was taken back from, and that is still to be stopped. */
  readonly abandoned?: RemotePlace;
}
