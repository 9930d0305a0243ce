import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../../src/session/content.ts';
import type {TerminalRow, TerminalRun} from '../../../src/session/terminal-screen.ts';
import {resultRows} from '../../../src/session/words/result-rows.ts';
import {attachmentWords} from '../../../src/session/words/attachment.ts';
import {toolEnding} from '../../../src/session/words/tool-ending.ts';
import {withoutFence} from '../../../src/session/words/without-fence.ts';
import {hasHidden} from '../../../src/text/hidden.ts';
import type {Style} from '../../../src/text/markdown/style.ts';
import {wrap} from '../../../src/text/wrap.ts';
import type {Draw} from '../../draw/draw.ts';
import {drawExact, markEscapes} from '../../draw/exact.ts';
import {fold, wrapFolded, type FoldOptions} from '../../draw/lines.ts';
import {drawAttachment} from '../../transcript/attachment.ts';
import {mostLines, type ContentContext} from '../extent.ts';

/** What a tool gave back: text, or something else by name, type and size. */
export function drawContentItem({content}: acp.Content, context: ContentContext, draw: Draw): string[] {
  if (context.extent === 'exact') return drawWhole(content, draw);
  if (isHidden(content)) return [];
  if (content.type !== 'text') return drawAttachment(content, draw);
  const text = withoutFence(content.text.trim());
  if (text === '') return [];
  const options = {
    most: mostLines(context),
    keep: context.entry.kind === 'execute' ? 'tail' : 'head',
  } as const;
  const style = toolEnding(context.entry) === 'failed' ? draw.paint.error : draw.paint.output;
  if (hasHidden(text)) return drawRows(resultRows(text), {...options, style}, draw);
  if (options.most === 0 && text.includes('\n')) return fold(text.split('\n'), options, draw);
  return wrapFolded(text, options, draw).map((line) => style(line));
}

interface RowLook extends Pick<FoldOptions, 'most' | 'keep'> {
  /** The look of what has none of its own. */
  readonly style: Style;
}

/** A result that has colours or was written over, folded; hardly more than what is shown is drawn. */
function drawRows(rows: readonly TerminalRow[], {most, keep, style}: RowLook, draw: Draw): string[] {
  if (most === 0 && rows.length > 1) return fold([], {most, keep, hidden: rows.length}, draw);
  const near = keep === 'head' ? rows.slice(0, most + 1) : rows.slice(-most - 1);
  const longest = (most + 2) * draw.columns;
  const paintRun = (run: TerminalRun) =>
    markEscapes(run.style === undefined ? style(run.text) : draw.paint.run(run), draw);
  const lines = near.flatMap((row) => wrap(startOf(row, longest).map(paintRun).join(''), draw.columns));
  return fold(lines, {most, keep, hidden: rows.length - near.length}, draw);
}

function startOf(row: TerminalRow, longest: number): TerminalRow {
  let left = longest;
  return row.flatMap(({text, ...look}) => {
    const shown = text.slice(0, Math.max(0, left));
    left -= text.length;
    return shown === '' ? [] : [{...look, text: shown}];
  });
}

/** What is to be approved, also what is meant for the model alone. */
function drawWhole(content: acp.ContentBlock, draw: Draw): string[] {
  if (content.type === 'text') return drawExact(content.text, draw);
  const text = content.type === 'resource' && 'text' in content.resource ? content.resource.text : '';
  const words = attachmentWords(content, draw.cwd);
  return [
    ...drawExact(words, draw).map((line) => draw.paint.link(line)),
    ...(text === '' ? [] : drawExact(text, draw)),
  ];
}
