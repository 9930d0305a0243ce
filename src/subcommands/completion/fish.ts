import type {CommandSpec, OptionSpec, Values} from '../../cli/completion/spec.ts';

/** The script for fish: to be sourced, or saved as `completions/acp-tui.fish`. */
export function fishScript(commands: readonly CommandSpec[]): string {
  const paths = commands.map(({path}) => path);
  const first = paths.filter((path) => path !== '' && !path.includes(' '));
  const second = paths.filter((path) => path.includes(' '));
  return `# Completes acp-tui in fish: acp-tui completion fish > ~/.config/fish/completions/acp-tui.fish
function __acp_tui_at
  set -l words (commandline -opc)
  set -l at ''
  if contains -- "$words[2]" ${first.join(' ')}
    set at $words[2]
    contains -- "$at $words[3]" ${second.map(quoted).join(' ')}; and set at "$at $words[3]"
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
  const at = `-n ${quoted(`__acp_tui_at ${quoted(path)}`)}`;
  const begins = path === '' ? '-n __acp_tui_begins' : at;
  return [
    ...subcommands.map(
      ({name, description}) => `complete -c acp-tui ${begins} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...(subcommands.length === 0 && argument && path !== ''
      ? [`complete -c acp-tui ${at} ${offer(argument)}`]
      : []),
    ...options.map((option) => `complete -c acp-tui ${at} ${optionText(option)}`),
  ];
}

function optionText({flags, description, value}: OptionSpec): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes = value ? ['-r', offer(value)] : [];
  return [...names, ...takes, `-d ${quoted(description)}`].join(' ');
}

function offer(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`;
    case 'listed':
      return `-f -k -a ${quoted(`(acp-tui completion --list ${values.list} 2>/dev/null)`)}`;
    case 'files':
      return '-F';
    case 'folders':
      return `-f -a ${quoted('(__fish_complete_directories)')}`;
    case 'any':
      return '-f';
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
