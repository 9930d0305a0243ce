import {EXPORT_CHOICES} from '../../export/format.ts';
import {exportFormat} from '../../export/formats.ts';
import {perform} from '../effects.ts';
import {textToCopy} from '../pages/copying.ts';
import {showContent} from '../pickers/content-picker.ts';
import {toast} from '../status/toasts.ts';
import type {Command} from './command.ts';

export const copy: Command = {
  name: 'copy',
  argument: '[n|code]',
  description: 'Copy the last answer or code block',
  complete: (_, typed) => ({
    before: '',
    typed,
    choices: [{id: 'code', name: 'code', description: 'The last code block (code 2: the one before it)'}],
  }),
  run({open, argument, at}) {
    const found = textToCopy(open.session, argument);
    if (found.kind === 'problem') return toast(found.problem, at);
    const {text, what} = found;
    return perform({kind: 'copy', text, what});
  },
};

export const openCommand: Command = {
  name: 'open',
  argument: '[words]',
  description: 'Open, save or copy images, files and links of this session',
  run: ({open, argument, at}) => showContent(open, at, argument),
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
    choices: EXPORT_CHOICES.map((name) => ({id: name, name, description: descriptions[name]})),
    more: '[file]',
  }),
  run({open, argument, at}) {
    const withSecrets = WITH_SECRETS.test(argument);
    const words = argument.replace(WITH_SECRETS, '').trim();
    const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(words) ?? [];
    const format = first === 'recording' ? first : exportFormat(first)?.name;
    const file = format ? rest : words;
    if (file.startsWith('-')) return toast(`Unknown option ${file}. /export accepts --with-secrets.`, at);
    return perform({
      kind: 'export_session',
      key: open.key,
      format,
      file: file === '' ? undefined : file.replace(/^(["'])(.*)\1$/su, '$2'),
      withSecrets,
    });
  },
};
