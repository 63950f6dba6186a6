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
}

/** What is known of the work of another agent for a plan in one phase. */
export interface RemoteWork {
  /** How often the plan had been taken back when it began. */
  readonly reversions: number;
  readonly attempt: number;
  /** Messages so far, those that came to nothing too. */
  readonly said: number;
  /** How much of the plan's guidance it knows. */
  readonly guided: number;
  readonly place: RemotePlace;
  readonly pending?: RemoteSaid;
  readonly asks?: RemoteQuestion;
  /** What a human has said to that, until it is passed on; empty where it only is to be looked at again. */
  readonly answer?: string;
  /** Why its last answer could not be taken. */
  readonly remark?: string;
  readonly files: readonly RemoteFile[];
  /** The steps that write what it has sent. */
  readonly steps: readonly number[];
  /** What it has said in the end. */
  readonly finished?: { readonly summary: string };
  readonly submitted?: SubmittedStrategy;
  /** Work that the plan was taken back from, and that is still to be stopped. */
  readonly abandoned?: RemotePlace;
}
