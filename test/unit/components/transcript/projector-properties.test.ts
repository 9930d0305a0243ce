import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {messageText} from '../../../../src/session/selectors.ts';
import type {Chunk, PlacedChunk} from '../../../../components/chunks/chunks.ts';
import {update, type UntimedEvent} from '../../../support/session/build.ts';
import {conversation, ended, prompt, says, thinks, tool} from '../../../support/session/conversation.ts';

const LIVE_ROWS = 8;

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const words = fc.constantFrom(
  'one ',
  'two\n',
  'three\n\n',
  '- item\n',
  '```\ncode\n',
  '```\n',
  '# head\n\n',
  ' ',
);
const status = fc.constantFrom('pending', 'in_progress', 'completed', 'failed');

/** What an agent may send in a turn, in any order. */
const reported: fc.Arbitrary<UntimedEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(words, fc.option(ids, {nil: undefined})).map(([text, id]) => says(text, id)),
  },
  {weight: 1, arbitrary: words.map(thinks)},
  {weight: 3, arbitrary: fc.tuple(ids, status).map(([id, state]) => tool(id, state))},
  {weight: 1, arbitrary: fc.constant({type: 'cancel_requested'} as const)},
  {weight: 1, arbitrary: fc.constant({type: 'notice', level: 'info', text: 'noted'} as const)},
  {
    weight: 1,
    arbitrary: fc.constant(
      update({sessionUpdate: 'plan', entries: [{content: 'x', priority: 'low', status: 'completed'}]}),
    ),
  },
);

const turns = fc.array(fc.array(reported, {maxLength: 25}), {minLength: 1, maxLength: 3});

/** Heights that are stable for a piece, but not all the same. */
const heightOf = (piece: Chunk) => 1 + (piece.id.length % 4);

const rowsOf = (pieces: readonly PlacedChunk[]) =>
  pieces.reduce((sum, {chunk: piece, gap}) => sum + heightOf(piece) + (gap ? 1 : 0), 0);

/** Plays turns, and checks the projection after each event. */
function play(
  turns: readonly (readonly UntimedEvent[])[],
  look: (projection: ReturnType<ReturnType<typeof conversation>['settle']>) => void,
) {
  const talk = conversation({heightOf, liveRows: LIVE_ROWS});
  for (const [index, events] of turns.entries()) {
    look(talk.report(prompt(index + 1)));
    for (const event of events) look(talk.report(event));
    look(talk.report(ended(index + 1)));
  }
  return {projection: talk.settle(), session: talk.session()};
}

const textOf = (text: string) => text.replace(/\s+/g, '');

describe('whatever an agent sends', () => {
  test('at most ten pieces are printed at once', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        let before = 0;
        play(turns, ({committed}) => {
          expect(committed.length - before).toBeLessThanOrEqual(10);
          before = committed.length;
        });
      }),
    );
  });

  test('live entries fit the screen, unless there is only one', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        play(turns, ({live, waiting}) => {
          expect(live.length < 2 || waiting || rowsOf(live) <= LIVE_ROWS).toBe(true);
        });
      }),
    );
  });

  test('everything is printed exactly once by the end of the turn, in order', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        const {projection, session} = play(turns, () => {});
        expect(projection.live).toEqual([]);
        const pieces = projection.committed.map(({chunk: piece}) => piece);
        expect(new Set(pieces.map(({id}) => id)).size).toBe(pieces.length);
        const whole = session.entries.filter((entry) => entry.type !== 'agent_message').map(({id}) => id);
        const printed = pieces
          .filter(({kind, id}) => kind === 'entry' && !id.includes('+'))
          .map(({id}) => id);
        expect(printed).toEqual(whole);
      }),
    );
  });

  test('no text of a message is lost, duplicated or mixed up', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        const {projection, session} = play(turns, () => {});
        for (const entry of session.entries) {
          if (entry.type !== 'agent_message') continue;
          const parts = projection.committed.flatMap(({chunk: piece}) =>
            piece.kind === 'block' && piece.id.startsWith(`${entry.id}/`) ? [piece.block.source] : [],
          );
          expect(textOf(parts.join(''))).toBe(textOf(messageText(entry)));
        }
      }),
    );
  });

  test('the last print of a tool call shows how it ended', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        const {projection, session} = play(turns, () => {});
        for (const entry of session.entries) {
          if (entry.type !== 'tool_call') continue;
          const last = projection.committed.findLast(
            ({chunk: piece}) => 'entry' in piece && piece.entry.id === entry.id,
          )?.chunk;
          expect(last && 'entry' in last && last.entry.type === 'tool_call' && last.entry.status).toBe(
            entry.status,
          );
        }
      }),
    );
  });
});
