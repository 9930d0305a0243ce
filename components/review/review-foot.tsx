import {partOfHints} from '../../src/app/keymap/hints.ts';
import {Box} from 'ink';
import {emptyDraft} from '../../src/app/editor/draft.ts';
import type {ReviewView} from '../../src/app/review/review-view.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {fittingLine} from '../layout/hints.ts';
import {Row} from '../layout/rows.tsx';
import {useCaret} from '../prompt/use-caret.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {reviewHints, selectedLinesName, waitingText} from '../../src/app/review/review-texts.ts';

/** The last row of a review: what is being typed, or the keys that fit. */
export function ReviewFoot({view}: {readonly view: ReviewView}) {
  const theme = useTheme();
  const {paint} = theme;
  const {label, before, after} = typed(view, theme);
  const box = useCaret(view.typing && {row: 0, column: width(label) + width(before)});
  return (
    <Box ref={box} flexShrink={0}>
      <Row text={view.typing ? `${paint.accent(label)}${before}${after}` : keysRow(view, theme)} />
    </Box>
  );
}

function keysRow(view: ReviewView, theme: Theme): string {
  const {paint, columns} = theme;
  if (view.waiting.length > 0) return paint.warning(truncate(waitingText(theme), columns));
  return fittingLine(partOfHints(reviewHints(view, theme), columns, theme), columns, theme);
}

/** Returns the typed text as far as it fits before and after the caret, which stays visible. */
function typed(view: ReviewView, {columns}: Theme) {
  const {what, draft} = view.typing ?? {what: 'search', draft: emptyDraft};
  const labels: Readonly<Record<typeof what, readonly [long: string, short: string]>> = {
    search: ['/', '/'],
    commit: ['Commit message (empty: the agent writes it): ', 'Message: '],
    comment: [`Comment on ${selectedLinesName(view)}: `, 'Comment: '],
  };
  const [long, short] = labels[what];
  const label = width(long) > columns / 2 ? short : long;
  // The caret has a cell of its own at the end.
  const room = columns - width(label) - 1;
  const before = truncate(draft.text.slice(0, draft.caret), room, {position: 'start'});
  return {label, before, after: truncate(draft.text.slice(draft.caret), room - width(before))};
}
