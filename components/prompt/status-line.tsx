import type {StatusItem} from '../../src/app/preferences.ts';
import type {StatusLine as Status} from '../../src/app/status/status-line.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {edgeRoom, hasBox} from '../layout/box.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
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
  const {paint, symbols, columns} = theme;
  const isInEdge = hasBox(theme);
  const {left, right} = partsThatFit(status, isInEdge ? edgeRoom(theme) : columns, theme);
  if (!isInEdge)
    return <Row text={paint.dim(truncate([...left, ...right].join(` ${symbols.dot} `), columns))} />;
  return (
    <Edge
      side="bottom"
      color={frame}
      left={paint.dim(left.join(` ${symbols.dot} `))}
      right={paint.dim(right.join('  '))}
    />
  );
}

/** The parts that are shown by default, and the side of each. */
const USUAL: readonly StatusItem[] = [
  'agent',
  'model',
  'mode',
  'sandbox',
  'folder',
  'branch',
  'context',
  'cost',
];
const SIDES: Readonly<Record<StatusItem, Part['side']>> = {
  agent: 'left',
  session: 'left',
  model: 'left',
  mode: 'left',
  sandbox: 'left',
  folder: 'right',
  branch: 'right',
  context: 'right',
  cost: 'right',
  time: 'right',
};

interface Part {
  readonly text: string;
  /** The most important part has the lowest rank. */
  readonly rank: number;
  readonly style: Style;
  readonly side: 'left' | 'right';
}

/** Returns the parts that fit, styled and in display order. */
function partsThatFit(status: Status, columns: number, theme: Theme) {
  const parts = partsOf(status, theme);
  const kept = new Set<Part>();
  let room = columns;
  for (const part of [...parts].sort((one, other) => one.rank - other.rank)) {
    const cells = width(part.text) + (kept.size > 0 ? BETWEEN : 0);
    if (cells > room && kept.size > 0) continue;
    kept.add(part);
    room -= cells;
  }
  const of = (side: Part['side']) =>
    parts.filter((part) => kept.has(part) && part.side === side).map(({text, style}) => style(text));
  return {left: of('left'), right: of('right')};
}

function partsOf(status: Status, theme: Theme): Part[] {
  const {editing, replay, agent, place, waiting, mode, unattended, model, approval, isSandboxed} = status;
  const {context, cost, folder, branch, session, time, enter, escape} = status;
  const {warning, bold} = theme.paint;
  const warn = (text: string | undefined) => text && `${theme.symbols.warning} ${text}`;
  const named: Style = (text) => bold(theme.paint.agent(agent, text));
  const plain: Style = (text) => text;
  const items: Readonly<
    Record<StatusItem, readonly [text: string | undefined, rank: number, style?: Style]>
  > = {
    agent: [[place, agent].filter(Boolean).join(' '), 1, named],
    session: [session, 9],
    model: [model, 4],
    mode: [mode, 3],
    sandbox: [isSandboxed ? 'sandbox' : undefined, 2],
    folder: [folder, 7],
    branch: [branch, 8],
    context: [context && `${bar(context.share, theme)} ${context.text}`, 5],
    cost: [cost, 6],
    time: [time, 10],
  };
  const chosen = status.text === undefined ? (status.items ?? USUAL) : [];
  const shown = chosen.map((name, index) => {
    const [text, rank, style] = items[name];
    // Of the parts that the user chose, the last ones are left out first.
    return {side: SIDES[name], row: [text, status.items ? index + 1 : rank, style] as const};
  });
  const of = (side: Part['side']) => shown.filter((each) => each.side === side).map(({row}) => row);
  const [first, ...others] = of('left');
  const left: readonly (readonly [text: string | undefined, rank: number, style?: Style | undefined])[] = [
    [editing, 0],
    [replay, 0],
    first ?? [status.text, 1],
    [warn(unattended), 0, warning],
    [warn(waiting), 0, warning],
    ...others,
    [approval && `auto-approve ${approval}`, 0],
  ];
  const right: typeof left = [...of('right'), [enter, 0], [escape, 0]];
  const toParts = (side: Part['side'], texts: typeof left): Part[] =>
    texts.flatMap(([text, rank, style = plain]) =>
      text ? [{text: sanitizeLine(text), rank, style, side}] : [],
    );
  return [...toParts('left', left), ...toParts('right', right)];
}

function bar(share: number, {symbols}: Theme): string {
  const full = Math.round(share * BAR_CELLS);
  return symbols.barFull.repeat(full) + symbols.barEmpty.repeat(BAR_CELLS - full);
}
