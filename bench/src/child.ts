import { answerQuestions, endWithParent, reply, usage } from "./library/questions.ts";
import { type RoleName, roles } from "./roles/index.ts";

// A process of a benchmark: `child.ts ROLE OPTIONS`. What it does is told over IPC.
endWithParent();
const [name, options = "{}"] = process.argv.slice(2);
const { begin } = await roles[name as RoleName]();
const { ready, answers } = await begin(JSON.parse(options) as never);
answerQuestions({ ...usage, ...answers });
reply({ ready });
