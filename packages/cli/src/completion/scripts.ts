export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** In the place of a candidate: the shell is to add files. */
export const FILES = ":files";

/**
 * Each asks `agents __complete -- WORD…` what may come next, so that a script that was loaded once knows the commands of
 * a newer version too. Answers are lines: a candidate, and after a tab what it is.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# agents completion bash; for this shell: source <(agents completion bash)
_agents_complete() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(agents __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _agents_complete agents
`,
  zsh: `#compdef agents
# agents completion zsh; for this shell: source <(agents completion zsh)
_agents() {
  local line
  local -a described plain
  for line in "\${(@f)$(agents __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      "") ;;
      :files) _files ;;
      *$'\\t'*) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) plain+=("$line") ;;
    esac
  done
  (( \${#described} )) && _describe 'agents' described
  (( \${#plain} )) && compadd -- $plain
  return 0
}
if [ "\${funcstack[1]}" = "_agents" ]; then _agents "$@"; else compdef _agents agents; fi
`,
  fish: `# agents completion fish; for this shell: agents completion fish | source
function __agents_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (agents __complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c agents -f -a '(__agents_complete)'
`,
  powershell: `# agents completion powershell; for this shell: agents completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName agents -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  agents __complete -- @words 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
  }
}
`,
};

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
