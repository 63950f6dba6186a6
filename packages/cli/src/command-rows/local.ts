import type { CommandRow } from "../command/command-row.ts";

/** As in `completion/scripts.ts`, which is loaded when it is asked for. */
const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** Commands that ask nobody. */
export const localCommands: readonly CommandRow[] = [
  {
    path: ["version"],
    summary: "The version of this command.",
    examples: [{ command: "agents version" }, { command: "agents -V" }],
    load: () => import("../commands/version.ts"),
  },
  {
    path: ["completion"],
    summary: "A script that lets a shell complete commands, flags and their values.",
    details: `Load it where your shell begins:
  bash         ~/.bashrc           source <(agents completion bash)
  zsh          ~/.zshrc            source <(agents completion zsh)
  fish         ~/.config/fish/completions/agents.fish, written by agents completion fish
  powershell   $PROFILE            agents completion powershell | Out-String | Invoke-Expression`,
    positionals: [{ name: "SHELL", summary: "bash, zsh, fish or powershell", choices: SHELLS }],
    examples: [
      { command: "agents completion bash", comment: "source <(…) it in ~/.bashrc" },
      { command: "agents completion fish" },
    ],
    load: () => import("../commands/completion.ts"),
  },
];
