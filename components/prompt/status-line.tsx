import type {Hint} from '../../src/app/keymap/hints.ts';
import {STATUS_ITEMS, type StatusItem} from '../../src/app/preferences.ts';
import type {StatusLine as Status} from '../../src/app/status/status-line.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {edgeRoom, hasBox} from '../layout/box.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {styledHints} from '../layout/hints.ts';
import {Edge} from '../layout/frame.tsx';
import {Row} from '../layout/rows.tsx';

const BAR_CELLS = 8;

/** Columns between the left and the right parts. */
const BETWEEN = 3;

interface StatusLineProps {
  readonly status: Status;
  /** The color of the prompt's box, whose lower edge it is. */
  readonly frame: Style;
}

/**
 * Agent and settings, folder and usage, below the prompt: in the lower edge of its box, or on a row of its own. If parts do not fit, those that are shown
 * elsewhere are left out first.
 */
export function StatusLine({status, frame}: StatusLineProps) {
  const theme = useTheme();
  const {paint, columns} = theme;
  const isInEdge = hasBox(theme);
  const {left, right} = partsThatFit(status, isInEdge ? edgeRoom(theme) : columns, theme);
  if (!isInEdge) return <Row text={truncate([...left, ...right].join(paint.dim(' · ')), columns)} />;
  return <Edge side="bottom" color={frame} left={left.join(paint.dim(' · '))} right={right.join('  ')} />;
}

/** The parts that are shown by default. */
const USUAL = STATUS_ITEMS.filter((name) => name !== 'session' && name !== 'time');

/** The most important item has the lowest rank. */
type Item = readonly [side: 'left' | 'right', text: Hint | undefined, rank: number, style?: Style];

/** Returns the parts that fit, styled and in display order. */
function partsThatFit(status: Status, columns: number, theme: Theme) {
  const parts = partsOf(status, theme);
  const kept = new Set<object>();
  let room = columns;
  for (const part of [...parts].sort((one, other) => one.rank - other.rank)) {
    const cells = width(part.text) + (kept.size > 0 ? BETWEEN : 0);
    if (cells > room && kept.size > 0) continue;
    kept.add(part);
    room -= cells;
  }
  const of = (side: Item[0]) =>
    parts.filter((part) => kept.has(part) && part.side === side).map(({text}) => text);
  return {left: of('left'), right: of('right')};
}

function partsOf(status: Status, theme: Theme) {
  const {editing, replay, agent, place, waiting, mode, unattended, model, effort, approval, isSandboxed} =
    status;
  const {context, cost, folder, branch, session, time, enter, escape} = status;
  const {warning, bold} = theme.paint;
  const warn = (text: string | undefined) => text && `${theme.symbols.warning} ${text}`;
  const named: Style = (text) => bold(theme.paint.agent(agent, text));
  const items: Readonly<Record<StatusItem, Item>> = {
    agent: ['left', [place, agent].filter(Boolean).join(' '), 1, named],
    session: ['left', session, 10],
    model: ['left', model, 4],
    effort: ['left', effort, 7],
    mode: ['left', mode, 3],
    sandbox: ['left', isSandboxed ? 'sandbox' : undefined, 2],
    folder: ['right', folder, 8],
    branch: ['right', branch, 9],
    context: ['right', context && `${bar(context.share, theme)} ${context.text}`, 5],
    cost: ['right', cost, 6],
    time: ['right', time, 11],
  };
  const chosen = status.text === undefined ? (status.items ?? USUAL) : [];
  const shown = chosen.map((name, index): Item => {
    const [side, text, rank, style = theme.paint.dim] = items[name];
    // Of the parts that the user chose, the last ones are left out first.
    return [side, text, status.items ? index + 1 : rank, style];
  });
  const [first = ['left', status.text, 1] as const, ...others] = shown.filter(([side]) => side === 'left');
  const all: readonly Item[] = [
    ['left', editing, 0],
    ['left', replay, 0],
    first,
    ['left', warn(unattended), 0, warning],
    ['left', warn(waiting), 0, warning],
    ...others,
    ['left', approval && `auto-approve ${approval}`, 0],
    ...shown.filter(([side]) => side === 'right'),
    ['right', enter, 0],
    ['right', escape, 0],
  ];
  return all.flatMap(([side, part, rank, style = theme.paint.dim]) => {
    if (!part) return [];
    const text = typeof part === 'string' ? style(sanitizeLine(part)) : styledHints([part], theme);
    return [{text, rank, side}];
  });
}

function bar(share: number, {symbols}: Theme): string {
  const full = Math.round(share * BAR_CELLS);
  return symbols.barFull.repeat(full) + symbols.barEmpty.repeat(BAR_CELLS - full);
}
