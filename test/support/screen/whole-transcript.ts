import type {DrawContext} from '../../../components/draw/draw.ts';
import {createTranscriptRows, type VisibleRows} from '../../../components/viewer/transcript-rows.ts';
import {drawWaiting, callsShownInRequests} from '../../../components/viewer/waiting-requests.ts';
import {START} from '../../../src/app/pages/viewer.ts';
import type {SessionState} from '../../../src/session/state.ts';

/** All rows of a transcript, with the waiting request below it. */
export function viewWhole(
  session: SessionState,
  draw: DrawContext,
  isFolded: (id: string) => boolean = () => false,
): VisibleRows {
  const asking = {...draw, asked: callsShownInRequests(session)};
  const source = {session, draw: asking, isFolded, end: drawWaiting(session, draw)};
  return createTranscriptRows().view(source, START, Infinity);
}

export function linesOf({rows}: VisibleRows): string[] {
  return rows.map(({text}) => text);
}
