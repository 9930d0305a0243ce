import {expect, test} from 'vitest';
import {updatesOf} from '../../../../src/modes/acp-agent/event-updates.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {createGrowingContent} from '../../../../src/session/transcript/growing-content.ts';
import {withAppended} from '../../../../src/session/transcript/patches.ts';
import {callUpdate, calls, ended, opened, prompted, text} from '../../../support/session/build.ts';

/** What an editor is sent of events. */
function sentOf(...events: readonly object[]) {
  const contents = createGrowingContent();
  let now = opened;
  return events.flatMap((untimed) => {
    const event = {at: 1, ...untimed} as SessionEvent;
    const before = now;
    now = reduce(before, event);
    return updatesOf(event, {before, now, isOwn: () => true, contents});
  });
}

const update = (each: object) => ({type: 'session_update', update: each});
const terminal = {type: 'terminal' as const, terminalId: 't1'};
const piece = (index: number) => ({type: 'content' as const, content: text(`test ${index} passed\n`)});
const pieces = Array.from({length: 10}, (_, index) =>
  update(withAppended(callUpdate('c', {content: [piece(index)]}))),
);

test.each([
  ['its turn ends', ended('end_turn')],
  ['the agent rests', update({sessionUpdate: 'state_update', state: 'idle'})],
])('all of a call that has grown is sent when %s, with the text of its terminal', (_, end) => {
  const shows = update(callUpdate('c', {content: [terminal]}));
  const created = {type: 'terminal_created', terminalId: 't1', command: 'npm test', cwd: '/', pty: true};
  const sent = sentOf(prompted('go'), created, update(calls('c')), shows, ...pieces, end);
  expect(JSON.stringify(sent)).not.toContain('"terminal"');
  expect(sent.at(-1)).toMatchObject({
    toolCallId: 'c',
    content: [{type: 'content'}, ...pieces.map(() => ({}))],
  });
});
