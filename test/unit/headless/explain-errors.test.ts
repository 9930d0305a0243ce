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

function reported(...all: readonly Omit<DeniedRequest, 'method'>[]): string | undefined {
  const denied = all.map((request) => Object.assign({method: 'terminal/create'}, request));
  return explain(ended, {timeoutSeconds: undefined, denied, agent: undefined})?.message;
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

test('several rejections say which level allows how many', () => {
  const [write, run, teleport] = [
    {title: 'a', allowedBy: 'edits'} as const,
    {title: 'b', allowedBy: 'all'} as const,
    {title: 'c', allowedBy: undefined},
  ];
  expect(reported(write, run, write)).toMatch(/; --approve edits allows 2 of 3, --approve all allows it\.$/);
  expect(reported(write, teleport)).toMatch(/; --approve edits allows 1 of 2\.$/);
  expect(reported(teleport)).toMatch(/; no --approve level allows that\.$/);
});
