import {EXPORT_CHOICES} from '../../export/format.ts';
import {exportFormat} from '../../export/formats.ts';
import {perform} from '../effects.ts';
import {showContent} from '../pickers/content-picker.ts';
import {toast} from '../status/toasts.ts';
import type {Command} from './command.ts';
import type {AgentMessageEntry} from '../../session/entries.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import type {Choice} from '../../session/settings/options.ts';
import {customCall} from '../../session/content/custom-command.ts';
import {fencedBlocks} from '../../text/markdown/fences.ts';

export const copy: Command = {
  name: 'copy',
  argument: '[n|code]',
  description: 'Copy the last answer or code block',
  complete: (_, typed) => ({
    before: '',
    typed,
    choices: beginning(typed, [
      {id: 'code', name: 'code', description: 'The last code block (code 2: the one before it)'},
    ]),
  }),
  run({tab, argument, at}) {
    const found = textToCopy(tab.session, argument);
    if (found.kind === 'problem') return toast(found.problem, at);
    const {text, what} = found;
    return perform({kind: 'copy', text, what});
  },
};

export const openCommand: Command = {
  name: 'open',
  argument: '[words]',
  description: 'Open, save or copy images, files and links of this session',
  run: ({tab, argument, at}) => showContent(tab, at, argument),
};

export const saveCommand: Command = {
  name: 'save-command',
  argument: '<name>',
  description: 'Save the last prompt as a command of yours',
  unavailable: ({session}) => (session.queue.lastPrompt ? undefined : 'No prompt sent yet.'),
  run({tab: {key, session}, argument, at}) {
    const {lastPrompt} = session.queue;
    if (argument === '' || !lastPrompt) return toast('/save-command <name> saves the last prompt.', at);
    if (customCall(lastPrompt.text, session.customCommands))
      return toast('The last prompt is a command already.', at);
    return perform({kind: 'save_command', key, name: argument.replace(/^\//, ''), prompt: lastPrompt.text});
  },
};

const descriptions = {
  markdown: 'For reading and other tools',
  html: 'A single page that looks like the session',
  json: 'Can be imported again',
  recording: 'The protocol messages still in memory',
} as const;

const WITH_SECRETS = /(?:^|\s)--with-secrets(?=\s|$)/;

export const exportCommand: Command = {
  name: 'export',
  argument: '[format] [file]',
  description: 'Export this session to a file (credentials masked)',
  unavailable: ({session}) => (session.entries.length === 0 ? 'No messages yet.' : undefined),
  complete: (_, typed) => ({
    before: '',
    typed,
    choices: beginning(
      typed,
      EXPORT_CHOICES.map((name) => ({id: name, name, description: descriptions[name]})),
    ),
    more: '[file]',
  }),
  run({tab, argument, at}) {
    const withSecrets = WITH_SECRETS.test(argument);
    const words = argument.replace(WITH_SECRETS, '').trim();
    const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(words) ?? [];
    const format = first === 'recording' ? first : exportFormat(first)?.name;
    const file = format ? rest : words;
    if (file.startsWith('-')) return toast(`Unknown option ${file}. /export accepts --with-secrets.`, at);
    return perform({
      kind: 'export_session',
      key: tab.key,
      format,
      file: file === '' ? undefined : file.replace(/^(["'])(.*)\1$/su, '$2'),
      withSecrets,
    });
  },
};

/** Returns the choices that begin with what is typed. Anything else is a number or a file, even if it is a word of a description. */
function beginning(typed: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.filter(({id}) => id.startsWith(typed.toLowerCase()));
}

/** The text to copy with its description; or why there is none. */
type ToCopy =
  | {readonly kind: 'text'; readonly text: string; readonly what: string}
  | {readonly kind: 'problem'; readonly problem: string};

const USAGE = '/copy copies the last answer, /copy 2 the one before it, /copy code the last code block.';

/** Returns the text that `/copy` copies: an answer or a code block, counted from the last. */
export function textToCopy({entries}: SessionState, argument: string): ToCopy {
  const [, code, number = '1'] = /^(code)?\s*(\d{1,4})?$/i.exec(argument) ?? [argument];
  if (argument !== '' && !/^(?:code)?\s*\d{0,4}$/i.test(argument)) return {kind: 'problem', problem: USAGE};
  const answers = entries
    .filter((entry): entry is AgentMessageEntry => entry.type === 'agent_message')
    .map((entry) => messageText(entry).trim())
    .filter((text) => text !== '');
  const texts =
    code === undefined ? answers : answers.flatMap((text) => fencedBlocks(text).map(({code}) => code));
  const what = code === undefined ? 'answer' : 'code block';
  const wanted = Number(number);
  const text = wanted === 0 ? undefined : texts.at(-wanted);
  if (text !== undefined)
    return {kind: 'text', text, what: wanted === 1 ? `the last ${what}` : `${what} ${wanted} from the end`};
  const there = texts.length === 1 ? `is one ${what}` : `are ${texts.length} ${what}s`;
  return {
    kind: 'problem',
    problem: texts.length === 0 ? `No ${what} yet.` : `There ${there}. ${USAGE}`,
  };
}
