import type * as acp from '@agentclientprotocol/sdk/unstable';
import {placeOf} from '../../session/diff-place.ts';
import {diffCounts} from '../../session/words/diff-counts.ts';
import {diffLines, type DiffLine, type Hunk} from '../../text/diff/diff-lines.ts';
import {shownPath} from '../../text/shown-path.ts';
import {markup, type Markup} from './markup.ts';

const CONTEXT_LINES = 3;
const SIGNS = {added: '+', removed: '-', context: ' '} as const;

/** A change of a file: which one, how much, and its lines with their numbers, the changed words marked. */
export function diffHtml(
  diff: acp.Diff,
  {cwd, kind}: {readonly cwd: string; readonly kind: acp.ToolKind},
): Markup {
  const {path, oldText, newText} = diff;
  const firstLine = placeOf(diff)?.line;
  const compared = diffLines(oldText, newText, {
    context: CONTEXT_LINES,
    ...(firstLine !== undefined && {firstLine}),
  });
  const {hunks, approximate} = compared;
  const counts = diffCounts(diff, compared, {minus: '−', kind});
  const note = approximate ? ', too different to compare' : '';
  return markup`<figure class="diff"><figcaption>${shownPath(path, cwd)} <span class="dim">(${counts}${note})</span></figcaption>
<pre>${hunks.map(hunkHtml)}</pre></figure>
`;
}

function hunkHtml({lines}: Hunk, index: number): Markup {
  const gap = index === 0 ? undefined : markup`<span class="gap">…</span>\n`;
  return markup`${gap}${lines.map(lineHtml)}`;
}

function lineHtml({kind, oldNumber, newNumber, segments, noNewlineAtEnd}: DiffLine): Markup {
  const text = segments.map(({text, changed}) => (changed ? markup`<mark>${text}</mark>` : text));
  const number = String(newNumber ?? oldNumber ?? '').padStart(4);
  const end = noNewlineAtEnd ? markup`<span class="dim"> … no line feed at the end</span>` : undefined;
  return markup`<span class="line ${kind}"><span class="number">${number} ${SIGNS[kind]} </span>${text}${end}</span>\n`;
}
