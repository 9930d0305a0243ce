import {expect, test} from 'vitest';
import {
  isWaiting,
  nextTurnPhase,
  type TurnEvent,
  type TurnPhase,
} from '../../../src/conversation/prompt/turn-phases.ts';

const skipping = new AbortController();
const events: Record<TurnEvent['type'], TurnEvent> = {
  begin: {type: 'begin'},
  cover: {type: 'cover', skipping},
  send: {type: 'send'},
  cancel: {type: 'cancel'},
  end: {type: 'end'},
};

const phases: Record<TurnPhase['name'], TurnPhase> = {
  idle: {name: 'idle', number: 3},
  hooks: {name: 'hooks', number: 3},
  snapshot: {name: 'snapshot', number: 3, skipping},
  sent: {name: 'sent', number: 3},
  not_sent: {name: 'not_sent', number: 3},
};

test.each([
  ['idle', {begin: 'hooks', cover: 'idle', send: 'idle', cancel: 'idle', end: 'idle'}],
  ['hooks', {begin: 'hooks', cover: 'snapshot', send: 'sent', cancel: 'not_sent', end: 'idle'}],
  ['snapshot', {begin: 'hooks', cover: 'snapshot', send: 'sent', cancel: 'not_sent', end: 'idle'}],
  // The agent ends a turn that it has.
  ['sent', {begin: 'hooks', cover: 'sent', send: 'sent', cancel: 'sent', end: 'idle'}],
  ['not_sent', {begin: 'hooks', cover: 'not_sent', send: 'not_sent', cancel: 'not_sent', end: 'idle'}],
] as const)('what follows when the turn is %s', (name, expected) => {
  const followed = Object.values(events).map((event) => [
    event.type,
    nextTurnPhase(phases[name], event).name,
  ]);
  expect(Object.fromEntries(followed)).toEqual(expected);
});

test('only a new turn has another number', () => {
  const numbers = Object.values(events).map((event) => nextTurnPhase(phases.hooks, event).number);
  expect(numbers).toEqual([4, 3, 3, 3, 3]);
});

test('a prompt waits until it is sent or given up', () => {
  expect(Object.values(phases).filter(isWaiting)).toEqual([phases.hooks, phases.snapshot]);
});
