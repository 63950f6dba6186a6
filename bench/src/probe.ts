import { answerQuestions, endWithParent, usage } from "./library/questions.ts";

// Loaded before a program of the product with `--import`: asks nothing of it, but can be asked what it uses.
endWithParent();
answerQuestions(usage);
process.channel?.unref();
