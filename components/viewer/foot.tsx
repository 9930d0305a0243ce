import {type Hint, hintsOf, hintText, joinKeys, partOfHints} from '../../src/app/keymap/hints.ts';
import {Box} from 'ink';
import type {Viewer} from '../../src/app/pages/viewer-state.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {edgeRoom, hasBox} from '../layout/box.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {fittingLine} from '../layout/hints.ts';
import {Edge} from '../layout/frame.tsx';
import {Row} from '../layout/rows.tsx';
import {useCaret} from '../prompt/use-caret.ts';

/** The position in the transcript, and possible actions. */
export interface FooterState {
  readonly viewer: Viewer;
  /** Number of entries, and index of the first visible one. */
  readonly entries: number;
  readonly first: number;
  /** A toast. */
  readonly news: string | undefined;
  /** The subagent whose transcript it is. */
  readonly subagent?: {readonly name: string; readonly canCancel: boolean} | undefined;
  /** True if the session has subagents to open. */
  readonly hasSubagents?: boolean;
}

/** Columns of an edge before its words. */
const EDGE_START = 3;

/** The last line while the transcript has the focus: the position, and the search that is typed there. Below a prompt, it closes its box. */
export function Foot({foot, isBelowPrompt}: {readonly foot: FooterState; readonly isBelowPrompt: boolean}) {
  const theme = useTheme();
  const isInEdge = isBelowPrompt && hasBox(theme);
  const words = footWords(foot, isInEdge ? {...theme, columns: edgeRoom(theme)} : theme);
  const {search, typingFrom} = foot.viewer;
  const column = width(`/${search}`) + (isInEdge ? EDGE_START : 0);
  const box = useCaret(typingFrom === undefined ? undefined : {row: 0, column});
  return (
    <Box ref={box} flexShrink={0}>
      {isInEdge ? <Edge side="bottom" color={theme.paint.line} left={words} /> : <Row text={words} />}
    </Box>
  );
}

/** Returns the position and the possible actions, as many as fit. */
function footWords(foot: FooterState, theme: Theme): string {
  const {viewer, news, subagent, hasSubagents} = foot;
  const {paint, columns, keyOf} = theme;
  if (viewer.typingFrom !== undefined) return truncate(`/${viewer.search}${found(viewer)}`, columns);
  const hitKeys = joinKeys([keyOf('next_hit'), keyOf('previous_hit')]);
  const search = viewer.search === '' ? [] : [joinKeys([`/${viewer.search}${found(viewer)}`, hitKeys], ', ')];
  const key = hintsOf(theme);
  const ofSubagents = [
    ...(hasSubagents ? [key('enter_subagent', 'open subagent')] : []),
    ...(subagent ? [key('leave_subagent', 'back')] : []),
    ...(subagent?.canCancel ? [key('cancel_subagent', 'cancel')] : []),
  ];
  const place: readonly Hint[] = [
    ...(subagent ? [subagent.name] : []),
    placeLabel(foot),
    // Feedback to a key is brighter than both.
    ...(news === undefined ? [] : [[paint.warning(news), ''] as const]),
    ...search,
  ];
  const keys = [
    ...ofSubagents,
    key(['close', 'cancel_or_back'], 'close', ' or '),
    key('search', 'search'),
    key('fold_all', ['fold all', hintText([key('fold_one', 'one')])].filter(Boolean).join(', ')),
    key(['previous_prompt', 'next_prompt'], 'prompts'),
    key(['previous_call', 'next_call'], 'calls'),
    key(['previous_failure', 'next_failure'], 'failures'),
    key('open_content', 'open content'),
    ...(subagent ? [] : [key('cancel_subagent', 'cancel call')]),
  ];
  const room = columns - width(hintText([...place, ' '])) + 1;
  return fittingLine([...place, ...partOfHints(keys, room, theme)], columns, theme);
}

/** Returns "End", or how far the screen is scrolled, and what has arrived below it. */
export function placeLabel({viewer, entries, first}: FooterState): string {
  if (entries === 0) return 'No messages yet';
  if (viewer.position.from === 'end') return 'End';
  const place = `${Math.floor((first / entries) * 100)} %`;
  const news = viewer.seen === undefined ? 0 : entries - viewer.seen;
  return news > 0 ? `${place} · ${news} new ↓` : place;
}

function found({search, hits, hit}: Viewer): string {
  if (search === '') return '';
  if (hits === undefined) return '  searching';
  if (hits.length === 0) return '  not found';
  if (hit === undefined) return hits.length === 1 ? '  in 1 row' : `  in ${hits.length} rows`;
  const subagent = hits[hit]?.subagent;
  return `  ${hit + 1} of ${hits.length}${subagent === undefined ? '' : ` in ${subagent}`}`;
}
