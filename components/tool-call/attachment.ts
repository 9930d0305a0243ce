import {attachmentFacts, type AttachedContent} from '../../src/session/labels/labels.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow, wrapHead} from '../layout/lines.ts';
import {rowsOfPicture} from '../transcript/picture.ts';

export const MAX_LINES = 12;

/** Returns the rows of an agent's attachment: one row, and below it the embedded text, folded. */
export function rowsOfAttachment(block: AttachedContent, theme: Theme): string[] {
  const row = attachmentRow(block, theme);
  const text = embeddedText(block).trim();
  if (text === '') return [row, ...rowsOfPicture(block, theme)];
  return [row, ...indent(wrapHead(text, MAX_LINES, narrow(theme)))];
}

export function embeddedText(block: AttachedContent): string {
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

/** The columns that a name is never cut to fewer than. */
const MIN_NAME = 20;

/** Returns content that is not text, in one line: its name, type and size, and how to open it. */
export function attachmentRow(block: AttachedContent, theme: Theme): string {
  const {paint, columns} = theme;
  const how = ` ${theme.leaderKeyOf('open_content')} open`;
  const [name = '', ...others] = attachmentFacts(block, theme.cwd);
  const end = others.map((fact) => ` · ${fact}`).join('');
  // A long path keeps the name of its file, and leaves room for the rest.
  const room = Math.max(MIN_NAME, columns - width(`[${end}]${how}`));
  const facts = `[${truncate(name, room, {position: 'middle'})}${end}]`;
  const hint = width(facts) + width(how) <= columns ? paint.dim(how) : '';
  return paint.link(truncate(facts, columns)) + hint;
}
