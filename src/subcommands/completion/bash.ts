import type {CommandSpec, OptionSpec, Values} from '../../cli/completion/spec.ts';
import {quoted} from './quoted.ts';

/** The script for bash, also for the old one of macOS. Where it knows nothing, bash completes files. */
export function bashScript(commands: readonly CommandSpec[]): string {
  const paths = commands.map(({path}) => path);
  const first = paths.filter((path) => path !== '' && !path.includes(' '));
  const second = paths.filter((path) => path.includes(' '));
  return `# Completes acp-tui in bash: source <(acp-tui completion bash)
_acp_tui_add() {
  local word
  while IFS= read -r word; do
    case "$word" in "$cur"*) COMPREPLY+=("$word") ;; esac
  done
}

_acp_tui_listed() {
  local word
  while IFS= read -r word; do
    case "$word" in "$cur"*) COMPREPLY+=("$(printf '%q' "$word")") ;; esac
  done < <(acp-tui completion --list "$1" 2>/dev/null | cut -f 1)
}

_acp_tui_folders() {
  compopt -o filenames 2>/dev/null
  _acp_tui_add < <(compgen -d -- "$cur")
}

_acp_tui() {
  local at='' cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  # Bash takes --option=value apart.
  if [ "$cur" = '=' ]; then
    cur=''
  elif [ "$previous" = '=' ] && [ "$COMP_CWORD" -gt 2 ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in ${first.join(' | ')}) at="\${COMP_WORDS[1]}" ;; esac
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$at \${COMP_WORDS[2]}" in ${second.map(quoted).join(' | ')}) at="$at \${COMP_WORDS[2]}" ;; esac
  fi
  case "$at $previous" in
${commands.flatMap(({path, options}) => options.flatMap((option) => valueCase(path, option))).join('\n')}
  esac
  case "$cur" in
    -*)
      case "$at" in
${commands.map(({path, options}) => `        ${quoted(path)}) ${add(options.flatMap(({flags}) => flags.slice(-1)))} ;;`).join('\n')}
      esac
      ;;
    *)
      case "$at" in
${commands.flatMap(argumentCase).join('\n')}
      esac
      ;;
  esac
}

complete -o default -F _acp_tui acp-tui
`;
}

function valueCase(path: string, {flags, value}: OptionSpec): readonly string[] {
  if (!value) return [];
  const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ');
  return [`    ${patterns}) ${offer(value)}return ;;`];
}

function argumentCase({path, subcommands, argument}: CommandSpec): readonly string[] {
  const names = subcommands.map(({name}) => name);
  // A subcommand of ours can only be the very first word.
  const isFirst = path === '' ? '[ "$COMP_CWORD" -eq 1 ] && ' : '';
  if (names.length > 0) return [`        ${quoted(path)}) ${isFirst}${add(names)} ;;`];
  return argument ? [`        ${quoted(path)}) ${offer(argument)}return ;;`] : [];
}

/** Bash completes files by itself where nothing is offered. */
function offer(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `${add(values.words)}; `;
    case 'listed':
      return `_acp_tui_listed ${values.list}; `;
    case 'folders':
      return '_acp_tui_folders; ';
    default:
      return '';
  }
}

function add(words: readonly string[]): string {
  return `_acp_tui_add < <(printf '%s\\n' ${words.map(quoted).join(' ')})`;
}
