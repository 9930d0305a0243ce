import type {SubagentEntry} from '../../src/session/entries.ts';
import type {SessionState} from '../../src/session/state.ts';
import {
  activityLabel,
  currentActivity,
  subagentFacts,
  subagentName,
} from '../../src/session/subagents/names.ts';
import {isWorking, subagentsBelow, type Subagent} from '../../src/session/subagents/tree.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {DrawContext} from '../draw/draw.ts';
import {drawEnd} from '../draw/symbols.ts';
import {drawNamed, wrapHanging, indent, narrow} from '../draw/lines.ts';

/** Number of its own subagents that a folded card shows. */
const MAX_FOLDED = 6;

/** Draws a subagent as a card: name and status, current activity, and the tree of its own subagents. */
export function drawSubagent(entry: SubagentEntry, draw: DrawContext): string[] {
  const session = draw.subagents[entry.sessionId]?.session;
  const inner = narrow(draw);
  const below = subagentsBelow(draw.subagents, entry.sessionId);
  const shown = draw.extent === 'folded' ? below.slice(0, MAX_FOLDED) : below;
  const left = below.length - shown.length;
  return [
    drawHeadline(entry, session, draw),
    ...indent([
      ...drawPurpose(entry, inner),
      ...drawDoing(entry, session, inner),
      ...shown.flatMap((each) => drawBelow(each, inner)),
      ...(left > 0 ? [draw.paint.dim(`${draw.symbols.ellipsis} and ${left} more`)] : []),
    ]),
  ];
}

function drawBelow({entry, session, depth}: Subagent, draw: DrawContext): string[] {
  const room = Array.from({length: depth}, () => '  ').join('');
  const besideClock = {...draw, columns: Math.max(1, draw.columns - room.length)};
  const lines = [drawHeadline(entry, session, besideClock)];
  if (isWorking(entry)) lines.push(...indent(drawDoing(entry, session, narrow(besideClock))));
  return lines.map((line) => room + line);
}

/** Draws state, name and facts in one line. */
function drawHeadline(entry: SubagentEntry, session: SessionState | undefined, draw: DrawContext): string {
  const {subagents} = draw;
  const name = subagentName({subagents}, entry.sessionId);
  const title = name === entry.sessionId ? entry.title?.trim() || entry.description?.trim() || name : name;
  const facts = subagentFacts(entry, session);
  return `${drawSign(entry, draw)} ${drawNamed(`Subagent ${title}`, draw.paint.bold, {facts, draw})}`;
}

function drawSign(entry: SubagentEntry, {paint, symbols}: DrawContext): string {
  switch (activityLabel(entry)) {
    case 'working':
      return paint.accent(symbols.running);
    case 'done':
      return drawEnd('done', {paint, symbols});
    case 'failed':
      return drawEnd('failed', {paint, symbols});
    case 'waiting':
      return paint.warning(symbols.warning);
    case 'cancelled':
    case 'refused':
      return paint.warning(symbols.cancelled);
    default:
      return paint.dim(symbols.pending);
  }
}

/** Returns its purpose, unless its name says it. */
function drawPurpose({title, description, problem}: SubagentEntry, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const isMore = draw.extent === 'whole' && description !== undefined && title !== undefined;
  return [
    ...(isMore ? wrapHanging(' ', description, draw).map((line) => paint.dim(line.trimStart())) : []),
    ...(problem === undefined
      ? []
      : wrapHanging(symbols.failed, problem, draw).map((line) => paint.error(line))),
  ];
}

/** Returns its current activity, or its last message. */
function drawDoing(entry: SubagentEntry, session: SessionState | undefined, draw: DrawContext): string[] {
  const doing = session && currentActivity(session);
  if (doing === undefined) return [];
  const {paint, symbols, columns} = draw;
  return [paint.dim(truncate(`${symbols.arrow} ${doing}`, columns))];
}
