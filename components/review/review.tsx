import {Box, useWindowSize} from 'ink';
import {selectedFile, type ReviewView} from '../../src/app/review/review-view.ts';
import {activeSession} from '../../src/app/sessions.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {stateTitle} from '../../src/session/labels/session-states.ts';
import {pluralize} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, width} from '../../src/text/width.ts';
import {type ScreenProps, useKeys, useSeen, useStore, useThemeOf} from '../hooks.ts';
import {spaceBetween} from '../layout/lines.ts';
import {Row, Rows} from '../layout/rows.tsx';
import {ThemeContext, useTheme} from '../theme/theme.tsx';
import {FileChanges, NoChanges} from './file-changes.tsx';
import {Files} from './files.tsx';
import {ReviewFoot} from './review-foot.tsx';
import {sizesLabel} from './review-labels.ts';

interface ReviewProps {
  readonly view: ReviewView;
  /** The agent that gets the comments. */
  readonly agentName: string;
  /** A toast, shown above the key hints. */
  readonly news: string | undefined;
  /** Rows of the changes, with the name of their file. */
  readonly rows: number;
}

/** The review on a separate screen. */
export function ReviewScreen({view, ...props}: ScreenProps & {readonly view: ReviewView}) {
  const {store, capabilities, press, onFrameSent} = props;
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const tab = activeSession(state);
  const theme = useThemeOf(state, screen.columns, capabilities);
  const waiting = tab.session.pending.length > 0 ? stateTitle('waiting') : undefined;
  const {news, rows} = reviewRows(screen.rows, state.toast?.text || waiting);
  useKeys({press});
  const pageRows = Math.max(1, rows - 1);
  const drawn = {firstRow: 0, visibleRows: pageRows, totalRows: pageRows};
  useSeen({subject: 'review', drawn, onFrameSent}, ({visibleRows}) =>
    store.dispatch({type: 'review_changed', change: {pageRows: visibleRows}}, 'urgent'),
  );
  return (
    <ThemeContext value={theme}>
      <Review view={view} agentName={agentName(tab)} news={news} rows={rows} />
    </ThemeContext>
  );
}

const MIN_ROWS_WITH_NEWS = 6;

/** Returns whether the toast has a row of its own, and the rows that are left for the changes. */
export function reviewRows(screen: number, news: string | undefined) {
  const shownNews = screen < MIN_ROWS_WITH_NEWS ? undefined : news;
  // One row stays free: a frame as tall as the screen would have to be cleared each time.
  return {news: shownNews, rows: Math.max(1, screen - 3 - Number(shownNews !== undefined))};
}

const COLUMNS_FOR_FILES = 80;
const FILES = {share: 0.28, least: 26, most: 44} as const;
/** Columns between the files and the changes. */
const BETWEEN = 3;

/** A review: files on the left if they fit, the changes of one on the right. */
export function Review({view, agentName, news, rows}: ReviewProps) {
  const theme = useTheme();
  const {paint, symbols, columns} = theme;
  const isWide = columns >= COLUMNS_FOR_FILES;
  const left = Math.min(FILES.most, Math.max(FILES.least, Math.floor(columns * FILES.share)));
  const right = isWide ? columns - left - BETWEEN : columns;
  const file = selectedFile(view);
  return (
    <Box flexDirection="column">
      <ReviewHead view={view} agentName={agentName} />
      <Box height={rows} flexShrink={0} overflow="hidden" gap={1}>
        {isWide && (
          <>
            <Box width={left} flexShrink={0}>
              <ThemeContext value={{...theme, columns: left}}>
                <Files view={view} rows={rows} />
              </ThemeContext>
            </Box>
            <Rows of={Array.from({length: rows}, () => paint.line(symbols.bar))} />
          </>
        )}
        <ThemeContext value={{...theme, columns: right, extent: 'whole'}}>
          {file ? (
            <FileChanges view={view} file={file} rows={rows} isAlone={!isWide} />
          ) : (
            <NoChanges view={view} />
          )}
        </ThemeContext>
      </Box>
      {news !== undefined && <Row text={paint.warning(truncate(news, columns))} />}
      <ReviewFoot view={view} />
    </Box>
  );
}

function ReviewHead({view, agentName}: Pick<ReviewProps, 'view' | 'agentName'>) {
  const {files, comments} = view.review;
  const theme = useTheme();
  const {paint, keyOf, columns} = theme;
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + file[side], 0);
  const sizes = sizesLabel({added: sum('added'), removed: sum('removed')}, theme);
  const left = ` ${paint.bold('Review')} ${pluralize(files.length, 'file')}  ${sizes}`;
  const count = pluralize(comments.length, 'comment');
  const keys = `${keyOf('send_comments')} sends ${comments.length === 1 ? 'it' : 'them'} to ${agentName}`;
  const long = `${count} · ${keys} `;
  const right = width(left) + width(long) < columns ? long : `${count} `;
  const line = spaceBetween(left, comments.length === 0 ? '' : paint.warning(right), columns);
  return <Row text={paint.surface?.(padded(line, columns)) ?? line} />;
}
