import type {Theme} from '../../../components/theme/theme.tsx';
import {createTranscriptRows, type VisibleRows} from '../../../components/viewer/transcript-rows.ts';
import {rowsOfWaiting, callsShownInRequests} from '../../../components/viewer/waiting-requests.ts';
import {START} from '../../../src/app/pages/viewer.ts';
import type {SessionState} from '../../../src/session/state.ts';

/** All rows of a transcript, with the waiting request below it. */
export function viewWhole(
  session: SessionState,
  theme: Theme,
  isFolded: (id: string) => boolean = () => false,
): VisibleRows {
  const asking = {...theme, asked: callsShownInRequests(session)};
  const source = {session, theme: asking, isFolded, end: rowsOfWaiting(session, theme)};
  return createTranscriptRows().view(source, START, Infinity);
}

export function linesOf({rows}: VisibleRows): string[] {
  return rows.map(({text}) => text);
}
