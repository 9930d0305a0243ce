import type {Draw} from '../../../components/draw/draw.ts';
import {createTranscriptRows, type View} from '../../../components/viewer/transcript-rows.ts';
import {drawWaiting, waitingCalls} from '../../../components/viewer/waiting-requests.ts';
import {START} from '../../../src/app/pages/viewer.ts';
import type {SessionState} from '../../../src/session/state.ts';

/** All rows of a transcript, with the waiting request below it. */
export function viewWhole(
  session: SessionState,
  draw: Draw,
  isFolded: (id: string) => boolean = () => false,
): View {
  const asking = {...draw, asked: waitingCalls(session)};
  const source = {session, draw: asking, isFolded, end: drawWaiting(session, draw)};
  return createTranscriptRows().view(source, START, Infinity);
}

export function linesOf({rows}: View): string[] {
  return rows.map(({text}) => text);
}
