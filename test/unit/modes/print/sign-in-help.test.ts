import {expect, test} from 'vitest';
import {signInHelp} from '../../../../src/modes/print/explain-errors.ts';
import type {AuthMethod} from '../../../../src/shared/authentication.ts';

const agent = {label: 'a', command: 'agent', args: ['--acp'], env: {KEY: 'secret'}};

function wordsFor(methods: readonly AuthMethod[]): string {
  return signInHelp({kind: 'authentication_required', methods}, agent);
}

test('each sign-in method is shown as it can be typed', () => {
  const words = wordsFor([
    {id: 'in a browser', name: 'Browser', description: 'Opens it.'},
    {id: 'n', name: 'Newer', type: 'unknown', kind: 'telepathy'},
    {id: 't', name: 'Terminal', type: 'terminal', args: ['--login'], env: {NODE_OPTIONS: '--require /x'}},
  ]);
  expect(words).toContain(`"Browser" (--auth 'in a browser'): Opens it.;`);
  expect(words).not.toContain('Newer');
  expect(words).toContain(`NODE_OPTIONS='--require /x' agent --acp --login`);
  expect(words).not.toContain('secret');
});

test('without a method that acp-tui knows, none are listed', () => {
  expect(wordsFor([])).not.toContain('methods');
});

test('a thousand methods do not fill the screen', () => {
  const words = wordsFor(
    Array.from({length: 1000}, (_, index) => ({id: `m${index}`, name: 'long \u001b[2J'.repeat(1000)})),
  );
  expect(words).toMatch(/; and 988 more\.$/);
  expect(words.length).toBeLessThan(10_000);
  expect(words).not.toContain('\u001b');
});
