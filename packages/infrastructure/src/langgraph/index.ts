export { LangGraphRuntime } from "./langgraph-runtime.ts";
