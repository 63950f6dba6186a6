import { setTimeout as sleep } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** What `remoteGraphSuite` asks for. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("work", async ({ messages }) => {
    const text = String(messages.at(-1)?.content ?? "");
    if (text.includes("boom")) throw new Error("boom");
    if (text.includes("slow")) await sleep(30_000);
    if (text.includes("ask")) {
      const answer: unknown = interrupt({ question: "Which colour?", options: ["red", "blue"] });
      return { messages: [new AIMessage(`You said ${JSON.stringify(answer)}`)] };
    }
    return { messages: [new AIMessage(`echo: ${text}`)] };
  })
  .addEdge(START, "work")
  .addEdge("work", END)
  .compile();
