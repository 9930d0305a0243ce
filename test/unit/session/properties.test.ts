import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isLive, messageText} from '../../../src/session/selectors.ts';
import {ancestorsOf, subagentTree} from '../../../src/session/subagents/tree.ts';
import {sanitize} from '../../../src/text/sanitize.ts';
import {anyEvent, anyText} from '../../support/session/arbitrary.ts';
import {
  callUpdate,
  calls,
  ended,
  reduceEvents,
  only,
  opened,
  prompted,
  says,
  reduceUpdates,
} from '../../support/session/build.ts';

/** Splits a text at any places, even within characters. */
function cut(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length));
}

describe('whatever an agent sends', () => {
  it('never throws, never loses or renames an entry, and IDs stay unique', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, {maxLength: 40}), (events) => {
        let session = opened;
        for (const event of events) {
          const before = session.entries;
          session = reduceEvents(session, event);
          const names = session.entries.map(({id, type}) => `${id} ${type}`);
          expect(names.slice(0, before.length)).toEqual(before.map(({id, type}) => `${id} ${type}`));
          expect(new Set(names).size).toBe(names.length);
        }
      }),
    );
  });

  it('has one place in a tree for each subagent, however many start one another', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, {maxLength: 60}), (events) => {
        const session = reduceEvents(opened, ...events);
        const shown = subagentTree(session).map(({entry}) => entry.sessionId);
        expect(new Set(shown).size).toBe(shown.length);
        for (const id of Object.keys(session.subagents)) {
          expect(shown).toContain(id);
          expect(new Set(ancestorsOf(session, id)).size).toBe([...ancestorsOf(session, id)].length);
        }
      }),
    );
  });

  it('leaves open messages tracked, and nothing of a turn live after it', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, {maxLength: 40}), (events) => {
        const session = reduceEvents(opened, ...events);
        const open = session.entries.flatMap((entry, index) =>
          'complete' in entry && !entry.complete ? [index] : [],
        );
        expect(session.streaming.toSorted((a, b) => a - b)).toEqual(open);
        const over = reduceEvents(session, prompted('go', 9), ended('end_turn', 9));
        const ofTurns = over.entries.filter((entry) => entry.turn !== undefined);
        expect(ofTurns.filter((entry) => isLive(over, entry))).toEqual([]);
      }),
    );
  });
});

describe('a text that arrives in chunks', () => {
  it('is the same message however it is split', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(), {maxLength: 6}), fc.boolean(), (text, places, named) => {
        const id = named ? 'm' : undefined;
        const pieces = cut(text, places).map((piece) => says(piece, id));
        const whole = reduceEvents(
          reduceUpdates(reduceEvents(opened, prompted('go')), says(text, id)),
          ended('end_turn'),
        );
        const inPieces = reduceEvents(
          reduceUpdates(reduceEvents(opened, prompted('go')), ...pieces),
          ended('end_turn'),
        );
        expect(only(inPieces, 'agent_message').content).toEqual(only(whole, 'agent_message').content);
        expect(messageText(only(inPieces, 'agent_message'))).toBe(sanitize(text));
      }),
    );
  });
});

describe('updates of a tool call', () => {
  const parts = [
    calls('t', {title: 'Read notes'}),
    callUpdate('t', {kind: 'read'}),
    callUpdate('t', {rawInput: {path: '/a'}}),
    callUpdate('t', {locations: [{path: '/a'}]}),
    callUpdate('t', {status: 'completed'}),
  ];

  it('make the same entry in any order', () => {
    const {at: _at, endedAt: _endedAt, ...inOrder} = only(reduceUpdates(opened, ...parts), 'tool_call');
    fc.assert(
      fc.property(fc.shuffledSubarray(parts, {minLength: parts.length}), (shuffled) => {
        expect(only(reduceUpdates(opened, ...shuffled), 'tool_call')).toMatchObject(inOrder);
      }),
    );
  });
});
