import {expect, test} from 'vitest';
import type {RunOutcome} from '../../../../src/cli/exit-codes.ts';
import {explainError} from '../../../../src/modes/print/explain-errors.ts';
import type {DeniedRequest} from '../../../../src/host/services.ts';

const ended = {
  signal: undefined,
  timedOut: false,
  failure: undefined,
  stopReason: 'end_turn',
  denied: true,
} as const;

function reported(
  ...all: readonly (Omit<DeniedRequest, 'method'> & {subagent?: string})[]
): string | undefined {
  const denied = all.map((request) => Object.assign({method: 'terminal/create'}, request));
  return explainError(ended, {timeoutSeconds: undefined, denied, agent: undefined})?.message;
}

test.each<[string | undefined, Partial<RunOutcome>]>([
  [undefined, {}],
  [undefined, {signal: 'SIGINT', timedOut: true}],
  ['timeout', {timedOut: true, stopReason: 'cancelled'}],
  ['command_not_found', {failure: {kind: 'command_not_found', command: 'x'}, stopReason: 'refusal'}],
  ['refusal', {stopReason: 'refusal'}],
  ['limit', {stopReason: 'max_tokens'}],
  ['limit', {stopReason: 'max_turn_requests'}],
  ['limit', {stopReason: 'cancelled', limitReached: 'This turn has cost $1.00 of $1.00.'}],
  ['cancelled', {stopReason: 'cancelled'}],
])('the kind of error is %s for %j', (kind, outcome) => {
  const circumstances = {timeoutSeconds: 1, denied: [], agent: undefined};
  expect(explainError({...ended, ...outcome}, circumstances)?.kind).toBe(kind);
});

test('a timeout after the turn is one of its subagents', () => {
  const circumstances = {timeoutSeconds: 1, denied: [], agent: undefined};
  expect(explainError({...ended, timedOut: true}, circumstances)?.message).toContain('subagents');
  const cancelled = explainError({...ended, timedOut: true, stopReason: 'cancelled'}, circumstances);
  expect(cancelled?.message).not.toContain('subagents');
});

test('a rejection by a rule names it and where rules are', () => {
  expect(reported({title: 'cat .env', allowedBy: undefined, rule: 'rule: any .env* (user)'})).toBe(
    'Rejected: "cat .env"; rule: any .env* (user). No approval level allows that. ' +
      'Rules marked (user) are in config.json, (project) in .acp-tui.json, (option) on the command line.',
  );
});

test('a rejection for a protected path names no rules', () => {
  expect(
    reported({title: 'cat .npmrc', allowedBy: undefined, rule: 'protected path: .npmrc (credentials)'}),
  ).toBe('Rejected: "cat .npmrc"; protected path: .npmrc (credentials). No approval level allows that.');
  expect(
    reported(
      {title: 'a', allowedBy: undefined, rule: 'rule: a (user)'},
      {title: 'b', allowedBy: undefined, rule: 'protected path: b'},
    ),
  ).toMatch(/^Rejected: "a", "b"; rule: a \(user\); protected path: b\. .* Rules marked/);
});

test('a rejection by the level says which level allows it', () => {
  expect(reported({title: 'ls', allowedBy: 'all'})).toBe(
    'Rejected (non-interactive): "ls"; --approve all allows it.',
  );
});

test('several rejections say which level allows how many', () => {
  const [write, run, teleport] = [
    {title: 'a', allowedBy: 'edits'} as const,
    {title: 'b', allowedBy: 'all'} as const,
    {title: 'c', allowedBy: undefined},
  ];
  expect(reported(write, run, write)).toMatch(/; --approve edits allows 2 of 3, --approve all allows it\.$/);
  expect(reported(write, teleport)).toMatch(/; --approve edits allows 1 of 2\.$/);
  expect(reported(teleport)).toMatch(/; no --approve level allows that\.$/);
  expect(reported({...write, subagent: 'find'}, run, run, run)).toContain('"a" (find), "b", "b" and 1 more;');
});
