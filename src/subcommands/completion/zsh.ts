import type {CommandSpec, OptionSpec, Values} from '../../cli/completion/spec.ts';
import {quoted} from './quoted.ts';

/** The script for zsh: to be sourced, or found in a folder of `fpath` as `_acp-tui`. */
export function zshScript(commands: readonly CommandSpec[]): string {
  const paths = commands.map(({path}) => path);
  const first = paths.filter((path) => path !== '' && !path.includes(' '));
  const second = paths.filter((path) => path.includes(' '));
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
    case "$at $words[3]" in (${second.map(quoted).join('|')}) at="$at $words[3]" ;; esac
  fi
  case "$at $previous" in
${commands.flatMap(({path, options}) => options.flatMap((option) => valueCase(path, option))).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case $at in
${commands.map(({path, options}) => `      (${quoted(path)}) found=(${options.map(optionText).join(' ')}) ;;`).join('\n')}
    esac
    _describe -o option found
    return
  fi
  case $at in
${commands.flatMap(argumentCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _acp_tui || $funcstack[1] == _acp-tui ]]; then
  _acp_tui "$@"
else
  compdef _acp_tui acp-tui
fi
`;
}

function valueCase(path: string, {flags, value}: OptionSpec): readonly string[] {
  if (!value) return [];
  const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join('|');
  return [`    (${patterns}) ${offer(value)}; return ;;`];
}

function argumentCase({path, subcommands, argument}: CommandSpec): readonly string[] {
  if (subcommands.length > 0) {
    const found = subcommands.map(({name, description}) => described(name, description)).join(' ');
    // A subcommand of ours can only be the very first word.
    const isFirst = path === '' ? '(( CURRENT == 2 )) && ' : '';
    return [`    (${quoted(path)}) found=(${found}); ${isFirst}_describe subcommand found ;;`];
  }
  return argument ? [`    (${quoted(path)}) ${offer(argument)} ;;`] : [];
}

function offer(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `compadd -- ${values.words.map(quoted).join(' ')}`;
    case 'listed':
      return `_acp_tui_listed ${values.list}`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'any':
      return '_message value';
  }
}

function optionText({flags, description}: OptionSpec): string {
  return described(flags.at(-1) ?? '', description);
}

function described(name: string, description: string): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${description}`);
}
