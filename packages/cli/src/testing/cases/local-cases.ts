import { PLAN_ID } from "../samples.ts";
import type { Case } from "./case.ts";

const USER = "/home/me/.cleveragents/config.toml";
const files = {
  [USER]: '[server]\nurl = "http://user.example"\ntoken = "secret"\n[core]\ntimeout = 5\n',
  "/work/app/.cleveragents.toml": "[core]\ntimeout = 9\n",
};
const uses = {
  calls: 3,
  input_tokens: 12_000,
  cache_read_tokens: 800,
  cache_write_tokens: 0,
  output_tokens: 450,
  total_tokens: 13_250,
  estimated_calls: 1,
  cost_usd: 0.0412,
};

/** Commands about this command itself, and about models, which lists do not fit. */
export const LOCAL_CASES: readonly Case[] = [
  { argv: "version", names: "1.2.3" },
  { argv: "completion bash" },
  { argv: "completion zsh" },
  { argv: "completion fish" },
  { argv: "completion powershell" },
  { argv: "config list", more: { files } },
  { argv: "config show --origin", more: { files } },
  { argv: "config get core.timeout", more: { files } },
  { argv: "config get server.token", more: { files } },
  { argv: "config set core.timeout 7" },
  { argv: "config unset core.timeout", more: { files } },
  {
    argv: "usage --model openai/gpt-4o",
    method: "_cleveragents/usage/show",
    result: {
      total: uses,
      unpriced_models: ["ollama/small"],
      models: [{ ...uses, model: "openai/gpt-4o", role: "execution" }],
      tasks: [
        {
          task_id: PLAN_ID,
          context_id: "c",
          action: "local/mend",
          calls: 3,
          total_tokens: 13_250,
          cost_usd: 0.0412,
        },
        { task_id: `${PLAN_ID.slice(0, -1)}D`, context_id: "c", calls: 1, total_tokens: 40 },
      ],
      total_tasks: 2,
    },
    params: { model: "openai/gpt-4o" },
    names: "openai/gpt-4o",
  },
  {
    argv: "actor test coder",
    method: "_cleveragents/registry/actor/test",
    result: {
      name: "local/coder",
      model: "ollama/small",
      plans: false,
      conversations: true,
      probes: [
        { probe: "chat", verdict: "ok", detail: "it said 90 characters" },
        { probe: "tool_calls", verdict: "failed", detail: "it prints calls as text" },
        { probe: "long", verdict: "lacking", detail: "it forgets what it was told after 2000 tokens" },
      ],
    },
    params: { name: "coder" },
    names: "chat",
    code: 1,
  },
];
