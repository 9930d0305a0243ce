import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';

const GRAMMAR = new URL('../../../../src/host/rules/shell-grammar.ts', import.meta.url);

test('the grammar of shells is not optimized: for one function of it that takes seconds and 700 MB', () => {
  const script = `
    const {loadShellGrammar} = await import(${JSON.stringify(GRAMMAR)});
    const parse = await loadShellGrammar();
    for (let at = 0; at < 20; at++) parse('cd x && npm test -- --run "$A" | grep -v foo > out; for f in *; do echo $f; done', () => 0);`;
  const flags = [
    '--wasm-sync-tier-up',
    '--trace-wasm-compilation-times',
    '--input-type=module',
    '-e',
    script,
  ];
  const compiled = execFileSync(process.execPath, flags, {encoding: 'utf8', maxBuffer: Infinity});
  expect(compiled).toContain('using Liftoff');
  expect(compiled).not.toContain('using TurboFan');
});
