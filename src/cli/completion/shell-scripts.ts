import {inQuotes} from '../../text/shell-quote.ts';
import type {Shell} from './completion-arguments.ts';
import {completionSpec, type CommandSpec, type OptionSpec, type Values} from './completion-spec.ts';

interface Commands {
  readonly commands: readonly CommandSpec[];
  /** The subcommands. */
  readonly first: readonly string[];
  /** Those of subcommands. */
  readonly second: readonly string[];
}

const SCRIPTS = {bash: bashScript, zsh: zshScript, fish: fishScript};

/** Returns the completion script of a shell. */
export function completionScript(shell: Shell): string {
  const commands = completionSpec();
  const paths = commands.map(({path}) => path).filter((path) => path !== '');
  const first = paths.filter((path) => !path.includes(' '));
  return SCRIPTS[shell]({commands, first, second: paths.filter((path) => path.includes(' '))});
}

/** Returns the script for bash, including version 3 of macOS. Without candidates, bash completes files. */
function bashScript({commands, first, second}: Commands): string {
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
    case "$at \${COMP_WORDS[2]}" in ${second.map(inQuotes).join(' | ')}) at="$at \${COMP_WORDS[2]}" ;; esac
  fi
  case "$at $previous" in
${commands.flatMap(({path, options}) => options.flatMap((option) => bashValueCase(path, option))).join('\n')}
  esac
  case "$cur" in
    -*)
      case "$at" in
${commands.map(({path, options}) => `        ${inQuotes(path)}) ${add(options.flatMap(({flags}) => flags.slice(-1)))} ;;`).join('\n')}
      esac
      ;;
    *)
      case "$at" in
${commands.flatMap(bashArgumentCase).join('\n')}
      esac
      ;;
  esac
}

complete -o default -F _acp_tui acp-tui
`;
}

function bashValueCase(path: string, {flags, value}: OptionSpec): readonly string[] {
  if (!value) return [];
  const patterns = flags.map((flag) => inQuotes(`${path} ${flag}`)).join(' | ');
  return [`    ${patterns}) ${bashCandidates(value)}return ;;`];
}

function bashArgumentCase({path, subcommands, argument}: CommandSpec): readonly string[] {
  const names = subcommands.map(({name}) => name);
  // A subcommand can only be the first word.
  const isFirst = path === '' ? '[ "$COMP_CWORD" -eq 1 ] && ' : '';
  if (names.length > 0) return [`        ${inQuotes(path)}) ${isFirst}${add(names)} ;;`];
  return argument ? [`        ${inQuotes(path)}) ${bashCandidates(argument)}return ;;`] : [];
}

/** Bash completes files by itself if there are no candidates. */
function bashCandidates(values: Values): string {
  if (typeof values === 'object') return `${add(values)}; `;
  if (values === 'folders') return '_acp_tui_folders; ';
  return values === 'files' || values === 'any' ? '' : `_acp_tui_listed ${values}; `;
}

function add(words: readonly string[]): string {
  return `_acp_tui_add < <(printf '%s\\n' ${words.map(inQuotes).join(' ')})`;
}

/** Returns the script for zsh: to be sourced, or saved in a folder of `fpath` as `_acp-tui`. */
function zshScript({commands, first, second}: Commands): string {
  return `#compdef acp-tui
# Completes acp-tui in zsh: source <(acp-tui completion zsh), or save it as _acp-tui in a folder of fpath.
_acp_tui_listed() {
  local name description
  local -a found
  while IFS=$'\\t' read -r name description; do
    found+=("\${name//:/\\\\:}:$description")
  done < <(acp-tui completion --list $1 2>/dev/null)
  _describe $1 found
}

_acp_tui() {
  local at='' previous=$words[CURRENT-1]
  local -a found
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  if (( CURRENT > 2 )); then
    case $words[2] in (${first.join('|')}) at=$words[2] ;; esac
  fi
  if (( CURRENT > 3 )); then
    case "$at $words[3]" in (${second.map(inQuotes).join('|')}) at="$at $words[3]" ;; esac
  fi
  case "$at $previous" in
${commands.flatMap(({path, options}) => options.flatMap((option) => zshValueCase(path, option))).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case $at in
${commands.map(({path, options}) => `      (${inQuotes(path)}) found=(${options.map(zshOption).join(' ')}) ;;`).join('\n')}
    esac
    _describe -o option found
    return
  fi
  case $at in
${commands.flatMap(zshArgumentCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _acp_tui || $funcstack[1] == _acp-tui ]]; then
  _acp_tui "$@"
else
  compdef _acp_tui acp-tui
fi
`;
}

function zshValueCase(path: string, {flags, value}: OptionSpec): readonly string[] {
  if (!value) return [];
  const patterns = flags.map((flag) => inQuotes(`${path} ${flag}`)).join('|');
  return [`    (${patterns}) ${zshCandidates(value)}; return ;;`];
}

function zshArgumentCase({path, subcommands, argument}: CommandSpec): readonly string[] {
  if (subcommands.length > 0) {
    const found = subcommands.map(({name, description}) => described(name, description)).join(' ');
    // A subcommand can only be the first word.
    const isFirst = path === '' ? '(( CURRENT == 2 )) && ' : '';
    return [`    (${inQuotes(path)}) found=(${found}); ${isFirst}_describe subcommand found ;;`];
  }
  return argument ? [`    (${inQuotes(path)}) ${zshCandidates(argument)} ;;`] : [];
}

const ZSH: Readonly<Record<string, string>> = {files: '_files', folders: '_files -/', any: '_message value'};

function zshCandidates(values: Values): string {
  if (typeof values === 'object') return `compadd -- ${values.map(inQuotes).join(' ')}`;
  return ZSH[values] ?? `_acp_tui_listed ${values}`;
}

function zshOption({flags, description}: OptionSpec): string {
  return described(flags.at(-1) ?? '', description);
}

function described(name: string, description: string): string {
  return inQuotes(`${name.replaceAll(':', '\\:')}:${description}`);
}

/** Returns the script for fish: to be sourced, or saved as `completions/acp-tui.fish`. */
function fishScript({commands, first, second}: Commands): string {
  return `# Completes acp-tui in fish: acp-tui completion fish > ~/.config/fish/completions/acp-tui.fish
function __acp_tui_at
  set -l words (commandline -opc)
  set -l at ''
  if contains -- "$words[2]" ${first.join(' ')}
    set at $words[2]
    contains -- "$at $words[3]" ${second.map(fishQuoted).join(' ')}; and set at "$at $words[3]"
  end
  test "$at" = "$argv[1]"
end

function __acp_tui_begins
  test (count (commandline -opc)) -eq 1
end

complete -c acp-tui -e
complete -c acp-tui -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({path, options, subcommands, argument}: CommandSpec): readonly string[] {
  const at = `-n ${fishQuoted(`__acp_tui_at ${fishQuoted(path)}`)}`;
  const begins = path === '' ? '-n __acp_tui_begins' : at;
  return [
    ...subcommands.map(
      ({name, description}) =>
        `complete -c acp-tui ${begins} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
    ),
    ...(subcommands.length === 0 && argument && path !== ''
      ? [`complete -c acp-tui ${at} ${fishCandidates(argument)}`]
      : []),
    ...options.map((option) => `complete -c acp-tui ${at} ${fishOption(option)}`),
  ];
}

function fishOption({flags, description, value}: OptionSpec): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes = value ? ['-r', fishCandidates(value)] : [];
  return [...names, ...takes, `-d ${fishQuoted(description)}`].join(' ');
}

const FISH: Readonly<Record<string, string>> = {
  files: '-F',
  folders: `-f -a ${fishQuoted('(__fish_complete_directories)')}`,
  any: '-f',
};

function fishCandidates(values: Values): string {
  if (typeof values === 'object') return `-f -a ${fishQuoted(values.join(' '))}`;
  return FISH[values] ?? `-f -k -a ${fishQuoted(`(acp-tui completion --list ${values} 2>/dev/null)`)}`;
}

function fishQuoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
