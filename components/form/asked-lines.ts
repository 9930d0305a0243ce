import type {PendingElicitation} from '../../src/session/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import type {Draw} from '../draw/draw.ts';
import {drawnOnce} from '../draw/drawn-once.ts';
import {barred, drawExact} from '../draw/exact.ts';
import {inside} from '../draw/lines.ts';
import {drawHiddenNote} from '../permission/hidden-note.ts';
import type {AskedView} from '../permission/permission-lines.ts';
import {othersWords} from '../permission/question-lines.ts';

/**
 * Who does what, for the title. An agent may call itself anything: what it asks begins with the words that it is one, also where
 * the screen ends behind them.
 */
export function titleOf({request: {asker}, agentName, others}: Titled, does: string): string {
  const more = othersWords(others);
  return asker === undefined
    ? `The agent ${does}: ${sanitizeLine(agentName)}${more}`
    : `${asker} ${does}${more}`;
}

type Titled = Pick<AskedView<PendingElicitation>, 'request' | 'agentName' | 'others'>;

/** What is asked, and for which tool call, in full. */
export const drawAsked = drawnOnce(drawWhole);

function drawWhole(
  request: PendingElicitation,
  entry: ToolCallEntry | undefined,
  draw: Draw,
): readonly string[] {
  const {paint} = draw;
  const inner = inside(draw);
  const call = entry === undefined ? [] : drawExact(`For: ${onOneLine(entry.title)}`, inner);
  const parts = request.kind === 'form' ? [request.title, request.description] : [];
  const [title, description] = parts.map((part) => (part === undefined ? [] : drawExact(part, inner)));
  const message = drawExact(request.message, inner);
  const lines = [
    ...call.map((line) => paint.dim(line)),
    ...message,
    ...(title ?? []).map((line) => paint.bold(line)),
    ...(description ?? []).map((line) => paint.dim(line)),
  ];
  return [...drawHiddenNote(request, draw), ...barred(lines, draw)];
}
