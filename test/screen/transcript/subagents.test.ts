import {describe, expect, test} from 'vitest';
import {rowsOfEntry} from '../../../components/transcript/entry-rows.ts';
import {topFoldable} from '../../../components/viewer/transcript-rows.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {subagentForDisplay, subagentEntry} from '../../../src/session/subagents/tree.ts';
import {reduceEvents, opened, says, reduceUpdates, subagent, updateOf} from '../../support/session/build.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOf, viewWhole} from '../../support/screen/whole-transcript.ts';

/** A reviewer with its own tester, which runs a command. */
const working: SessionState = reduceEvents(
  reduceUpdates(
    opened,
    subagent('child', {title: 'Reviewer', description: 'Reads the change', state: {state: 'running'}}),
  ),
  updateOf('child', says('I look at it.\nThe tests come next.')),
  updateOf('child', subagent('tester', {title: 'Tester', state: {state: 'running'}})),
  updateOf('tester', {
    sessionUpdate: 'tool_call',
    toolCallId: 'call',
    title: 'npm test',
    kind: 'execute',
    status: 'in_progress',
  }),
  updateOf('tester', {sessionUpdate: 'usage_update', used: 3100, size: 200_000}),
);

function card(session: SessionState, extent: 'folded' | 'whole' = 'folded'): string {
  const entry = subagentEntry(session, 'child')!;
  return rowsOfEntry(entry, plainTheme({subagents: session.subagents, extent})).join('\n');
}

describe("a subagent's entry", () => {
  test('shows what it and its descendants are doing', () => {
    expect(card(working)).toMatchSnapshot();
  });

  test('that is expanded shows its task, too', () => {
    expect(card(working, 'whole')).toContain('Reads the change');
  });

  test('shows how it ended, how long it took and what it used', () => {
    const usage = {totalTokens: 12_345, inputTokens: 12_000, outputTokens: 345};
    const done = reduceEvents(working, {
      type: 'session_update',
      update: subagent('child', {state: {state: 'idle', stopReason: 'end_turn', usage}}),
      at: 12_001,
    });
    expect(card(done).split('\n')[0]).toBe('✓ Subagent Reviewer · done · 12 s · 12.3k tokens');
  });

  test.each([
    ['error', '✗ Subagent Reviewer · failed'],
    ['cancelled', '⊘ Subagent Reviewer · cancelled'],
    ['refusal', '⊘ Subagent Reviewer · refused'],
  ])('that stopped with %s says so', (stopReason, line) => {
    expect(card(reduceUpdates(working, subagent('child', {state: {state: 'idle', stopReason}})))).toContain(
      line,
    );
  });

  test('that failed says why', () => {
    const error = {code: -32_603, message: 'The model is overloaded'};
    const failed = reduceUpdates(
      working,
      subagent('child', {state: {state: 'idle', stopReason: 'error', error}}),
    );
    expect(card(failed)).toContain('✗ The model is overloaded');
  });

  test('that waits for the user says so', () => {
    const waiting = reduceUpdates(working, subagent('child', {state: {state: 'requires_action'}}));
    expect(card(waiting)).toContain('! Subagent Reviewer · needs you');
  });

  test('lists only some of many descendants, unless it is expanded', () => {
    const many = reduceEvents(
      working,
      ...Array.from({length: 20}, (_, index) =>
        updateOf('child', subagent(`n${index}`, {title: `Number ${index}`, state: {state: 'idle'}})),
      ),
    );
    expect(card(many)).toContain('… and 15 more');
    expect(card(many, 'whole')).toContain('Number 19');
  });

  test('prints no control characters of its name', () => {
    const evil = reduceUpdates(
      opened,
      subagent('child', {title: 'a\u001b]0;x\u0007b', description: '\u001b[2J'}),
    );
    expect(card(evil, 'whole')).not.toMatch(/[\u001b\u0007]/);
  });
});

describe('the transcript of a subagent', () => {
  test('is drawn like any other, with its subagents in place', () => {
    const session = subagentForDisplay(working, 'child')!;
    const theme = plainTheme({subagents: session.subagents, extent: 'whole'});
    const view = viewWhole(session, theme);
    expect(linesOf(view).join('\n')).toMatchSnapshot();
    expect(topFoldable(view)).toBeDefined();
  });
});
