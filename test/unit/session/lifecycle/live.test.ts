import {expect, test} from 'vitest';
import {isAgentBusy} from '../../../../src/session/lifecycle/live.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {ended, opened, prompted, reduceEvents, reduceUpdates} from '../../../support/session/build.ts';

const inState = (before: SessionState, state: string) =>
  reduceUpdates(before, {sessionUpdate: 'state_update', state});

test('a state that the agent does not know neither ends nor begins its work', () => {
  const working = inState(opened, 'running');
  expect(isAgentBusy(inState(working, 'unknown'))).toBe(true);
  expect(isAgentBusy(inState(inState(working, 'unknown'), 'idle'))).toBe(false);
  expect(isAgentBusy(inState(opened, 'unknown'))).toBe(false);
});

test('work whose end is not reported ends with the turn in which it began', () => {
  const turn = inState(reduceEvents(opened, prompted('go')), 'running');
  expect(isAgentBusy(reduceEvents(turn, ended('end_turn')))).toBe(false);
});

test('work that began before a turn goes on after it', () => {
  const before = reduceEvents(opened, {
    type: 'session_update',
    update: {sessionUpdate: 'state_update', state: 'running'},
  });
  const later = {...prompted('go'), at: 10};
  expect(isAgentBusy(reduceEvents(before, later, ended('end_turn')))).toBe(true);
});

test('what an agent of version 2 begins while the end of a turn is handled goes on after it', () => {
  const response = {protocolVersion: 2};
  const version2 = reduceEvents(opened, {type: 'agent_initialized', response, fallbackName: 'agent'});
  const turn = inState(inState(reduceEvents(version2, prompted('go')), 'idle'), 'running');
  expect(isAgentBusy(reduceEvents(turn, ended('end_turn')))).toBe(true);
});
