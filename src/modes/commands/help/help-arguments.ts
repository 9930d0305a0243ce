import {isSpelledLike} from '../../../shared/spelling.ts';
import {SUBCOMMANDS} from '../../../cli/parsed-arguments.ts';
import {singleCommand, type ReadSubcommand} from '../../../cli/subcommand.ts';
import {usageError} from '../../../cli/usage.ts';
import {closest} from 'fastest-levenshtein';

/** The pages of the documentation for users, in the order of the list: docs/NAME.md. */
export const HELP_PAGES = {
  chat: 'prompts, queue, requests: what a chat can do',
  'keys-and-commands': 'every key and every command',
  agents: 'selecting, installing and adding agents',
  sessions: 'resuming, searching, exporting; the background',
  worktrees: 'a copy of the repository for a session of its own',
  permissions: 'what is allowed, asked and rejected; rules',
  sandbox: 'running agents in a sandbox',
  review: 'what an agent changed, and undoing it',
  settings: 'every setting',
  screen: 'inline and full screen, themes, screen readers',
  'commands-and-hooks': 'your own commands, and programs at events',
  mcp: 'MCP servers',
  scripts: 'print mode: -p, JSON, exit codes',
  editors: 'acp-tui as an agent in an editor',
  security: 'what protects you from agents',
  'command-line': 'every option and subcommand',
} as const;

export type HelpPage = keyof typeof HELP_PAGES;

/** The page to show; undefined for the list of all. */
export interface HelpCommand {
  readonly page: HelpPage | undefined;
}

const {program, read} = singleCommand<HelpCommand>('acp-tui help', {
  words: '[page]',
  about: [Object.keys(HELP_PAGES).join(', ')],
  description: 'Show a page of the documentation, or list them.',
  options: {},
  read: ([page]) => ({page: page as HelpPage | undefined}),
});

export const helpProgram = program;

/** Parses the arguments after `acp-tui help`; writes nothing and never exits. */
export function readHelpCommand(argv: readonly string[], columns: number): ReadSubcommand<HelpCommand> {
  const [word] = argv;
  if (word === undefined || word.startsWith('-') || isHelpPage(word)) return read(argv, columns);
  return usageError(`No page "${word}". Did you mean: acp-tui help ${nearest(word)}?`, 'acp-tui help');
}

export function isHelpPage(word: string): word is HelpPage {
  return Object.hasOwn(HELP_PAGES, word);
}

/** True if what follows `help` is the rest of a prompt ("help me fix it"): it does not begin with a page or subcommand, and is not one word that is spelled like one. */
export function continuesPrompt([word = '', ...others]: readonly string[]): boolean {
  if (word === '' || word.startsWith('-')) return false;
  const name = nearest(word);
  return others.length > 0 ? word !== name : !isSpelledLike(word, name);
}

function nearest(word: string): string {
  return closest(word, [...Object.keys(HELP_PAGES), ...Object.keys(SUBCOMMANDS)]);
}
