import {expect, test} from 'vitest';
import {explain} from '../../../src/headless/explain-errors.ts';
import type {DeniedRequest} from '../../../src/host/services.ts';

const ended = {
  signal: undefined,
  timedOut: false,
  failure: undefined,
  stopReason: 'end_turn',
  denied: true,
} as const;

function reported(denied: Omit<DeniedRequest, 'method'>): string | undefined {
  const request = {...denied, method: 'terminal/create'};
  return explain(ended, {timeoutSeconds: undefined, denied: [request], agent: undefined})?.message;
}

test('a rejection by a rule names it and where rules are', () => {
  expect(reported({title: 'cat .env', allowedBy: undefined, rule: 'rule: any .env* (user)'})).toBe(
    'Rejected: "cat .env"; rule: any .env* (user). No approval level allows that. ' +
      'Rules marked (user) are in config.json, (project) in .acp-tui.json.',
  );
});

test('a rejection for a protected path names no rules', () => {
  expect(
    reported({title: 'cat .npmrc', allowedBy: undefined, rule: 'protected path: .npmrc (credentials)'}),
  ).toBe('Rejected: "cat .npmrc"; protected path: .npmrc (credentials). No approval level allows that.');
});

test('a rejection by the level says which level allows it', () => {
  expect(reported({title: 'ls', allowedBy: 'all'})).toBe(
    'Rejected (non-interactive): "ls"; --approve all allows it.',
  );
});
