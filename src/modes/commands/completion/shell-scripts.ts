import type {Shell} from './completion-arguments.ts';

/* Each script passes the words to `acp-tui completion --words`, the last of which is being typed, and shows the lines that it prints. */

/** For bash, including version 3 of macOS. Without candidates, it completes files. */
const BASH = `# Completes acp-tui in bash: source <(acp-tui completion bash)
_acp_tui() {
  local word cur="\${COMP_WORDS[COMP_CWORD]}"
  [ "$cur" = '=' ] && cur=''
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case "$word" in
      :files) ;;
      :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$cur")
        ;;
      "$cur"*) COMPREPLY+=("$(printf '%q' "$word")") ;;
    esac
  done < <(acp-tui completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -o default -F _acp_tui acp-tui
`;

/** For zsh: to be sourced, or saved in a folder of `fpath` as `_acp-tui`. */
const ZSH = `#compdef acp-tui
# Completes acp-tui in zsh: source <(acp-tui completion zsh), or save it as _acp-tui in a folder of fpath.
_acp_tui() {
  local name description
  local -a found
  while IFS=$'\\t' read -r name description; do
    case $name in
      (:files) compset -P '--*='; _files; return ;;
      (:folders) compset -P '--*='; _files -/; return ;;
      (*) found+=("\${name//:/\\\\:}\${description:+:$description}") ;;
    esac
  done < <(acp-tui completion --words -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  _describe acp-tui found
}

if [[ $funcstack[1] == _acp_tui || $funcstack[1] == _acp-tui ]]; then
  _acp_tui "$@"
else
  compdef _acp_tui acp-tui
fi
`;

/** For fish: to be sourced, or saved as `completions/acp-tui.fish`. */
const FISH = `# Completes acp-tui in fish: acp-tui completion fish > ~/.config/fish/completions/acp-tui.fish
function __acp_tui
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l option (string match -r -- '^--[^=]*=' $current)
  # As typed, with its quotes: fish completes it as an argument of no command.
  set -l path "'' "(string replace -- "$option" '' "$current")
  for line in (acp-tui completion --words -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files*'
        printf '%s\\n' "$option"(complete -C $path)
      case ':folders*'
        printf '%s\\n' "$option"(complete -C $path | string match -r '.*/$')
      case '*'
        printf '%s\\n' $line
    end
  end
end

complete -c acp-tui -e
complete -c acp-tui -f -k -a '(__acp_tui)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = {bash: BASH, zsh: ZSH, fish: FISH};

/** Returns the completion script of a shell. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
