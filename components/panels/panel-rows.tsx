import {type Hint, hintText} from '../../src/app/keymap/hints.ts';
import {Frame, type FrameProps, headOf} from '../layout/frame.tsx';
import {Heading, HintRule} from '../layout/rule.tsx';
import {Rows} from '../layout/rows.tsx';
import type {SpokenLine} from '../layout/spoken.ts';
import type {Panel, PanelChoice} from './panel.ts';

/** A row of a panel. It is spoken as it is drawn, unless it says otherwise. */
export type PanelRow =
  | string
  | {
      readonly text: string;
      readonly spoken?: SpokenLine;
      /** The index of what a click on it selects. */
      readonly choice?: number | undefined;
    };

interface PanelList {
  /** Undefined on few rows. */
  readonly title: string | undefined;
  /** At the right of the title. */
  readonly aside?: string;
  readonly rows: readonly PanelRow[];
  /** What its rows choose. */
  readonly of?: PanelChoice['of'];
  /** The keys below it. */
  readonly hints?: readonly Hint[] | undefined;
}

/** Returns a list or a page, as it is drawn and as it is spoken. */
export function listPanel({title, aside = '', rows, of = 'panel', hints}: PanelList) {
  const head = title === undefined ? [] : [aside === '' ? title : `${title}  ${aside}`];
  return {
    content: (
      <>
        {title !== undefined && <Heading words={title} aside={aside} />}
        <Rows of={rows.map(drawn)} />
        {hints && <HintRule hints={hints} />}
      </>
    ),
    height: head.length + rows.length + Number(hints !== undefined),
    hints,
    spoken: () => [...head, ...rows.map(spoken), ...(hints ? [hintText(hints)] : [])],
    choices: choicesIn(rows, of, head.length),
  } satisfies Panel;
}

/** Returns the keys below a list. */
export function hintPanel(hints: readonly Hint[]) {
  return {content: <HintRule hints={hints} />, height: 1, hints};
}

/** Returns rows in a frame, as they are drawn and as they are spoken. */
export function framedPanel(frame: Omit<FrameProps, 'children'>, rows: readonly PanelRow[]) {
  const {title, aside = '', notes, footer} = frame;
  const head = title === undefined ? [] : [headOf(title, aside)];
  return {
    content: (
      <Frame {...frame}>
        <Rows of={rows.map(drawn)} />
      </Frame>
    ),
    height: head.length + rows.length + footer,
    hints: notes.slice(0, footer),
    spoken: () => [...head, ...rows.map(spoken), ...notes.slice(0, footer)],
    choices: choicesIn(rows, 'panel', head.length),
  } satisfies Panel;
}

/** Returns two panels, one below the other. */
export function stackedPanel(above: Panel, below: Panel): Panel {
  const moved = <Place extends {readonly row: number}>(place: Place) => ({
    ...place,
    row: place.row + above.height,
  });
  return {
    content: (
      <>
        {above.content}
        {below.content}
      </>
    ),
    height: above.height + below.height,
    hints: [...(above.hints ?? []), ...(below.hints ?? [])],
    spoken: () => [...above.spoken(), ...below.spoken()],
    scrolled: above.scrolled ?? below.scrolled,
    caret: above.caret ?? (below.caret && moved(below.caret)),
    choices: [...(above.choices ?? []), ...(below.choices ?? []).map(moved)],
  };
}

/** Returns rows of what is scrolled, from this one on: each is spoken as a part of its own. */
export function scrolledRows(rows: readonly string[], from: number) {
  return rows.map((text, index) => ({text, spoken: {text, of: `row ${from + index}`}}));
}

function drawn(row: PanelRow): string {
  return typeof row === 'string' ? row : row.text;
}

function spoken(row: PanelRow): SpokenLine {
  return typeof row === 'string' ? row : (row.spoken ?? row.text);
}

function choicesIn(rows: readonly PanelRow[], of: PanelChoice['of'], above: number): readonly PanelChoice[] {
  return rows.flatMap((row, at) =>
    typeof row === 'string' || row.choice === undefined ? [] : [{row: above + at, of, index: row.choice}],
  );
}
