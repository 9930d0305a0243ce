import type * as acp from '@agentclientprotocol/sdk/unstable';
import {pluralize, codeFence} from '../../text/format.ts';
import {exitLabel} from '../labels/command-label.ts';
import type {CommandOutput} from './queued-prompt.ts';

/** The key in a block's `_meta` that names its command, for the transcript. */
const META_KEY = 'acp-tui/output';

/** Returns the content block of an attached output. */
export function outputBlock(output: CommandOutput): acp.ContentBlock {
  const {command, exit, text, isCut} = output;
  const ended = `I ran this command in my own shell; it ${exit.signal === null ? `ended with exit code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`}.`;
  const body =
    text === '' ? 'It printed nothing.' : codeFence(isCut ? `[earlier output left out]\n${text}` : text);
  return {type: 'text', text: `${ended}\n$ ${command}\n${body}`, _meta: {[META_KEY]: outputLabel(output)}};
}

/** `npm test, exit code 1, 34 lines`. */
export function outputLabel({command, exit, text}: CommandOutput): string {
  const [first = '', ...others] = command.split('\n');
  const count = text === '' ? 0 : text.split('\n').length;
  const ended = exitLabel(exit) ?? [];
  const name = others.length > 0 ? `${first} …` : first;
  return [name, ended, pluralize(count, 'line')].flat().join(', ');
}

/** Returns the label of an attached output; undefined for other blocks. */
export function outputNotice({_meta}: {readonly _meta?: Record<string, unknown> | null}): string | undefined {
  const label = _meta?.[META_KEY];
  return typeof label === 'string' ? label : undefined;
}
