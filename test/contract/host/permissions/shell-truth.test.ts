import {mkdirSync, writeFileSync} from 'node:fs';
import * as fc from 'fast-check';
import {beforeAll, expect, test} from 'vitest';
import {readCommand} from '../../../../src/host/rules/read-command.ts';
import {loadShellGrammar, type ShellGrammar} from '../../../../src/host/rules/shell-grammar.ts';
import {printedBy} from '../in-shell.ts';
import {readFileIfAny} from '../../../../src/shared/files/safe-files.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();
let grammar: ShellGrammar;
beforeAll(async () => {
  grammar = await loadShellGrammar();
});

/** Programs that record their arguments, one word per line, and nothing else on PATH. */
function usePrograms() {
  const bin = `${sandbox.root}/bin`;
  mkdirSync(bin);
  for (const name of ['a', 'b', 'rm'])
    writeFileSync(
      `${bin}/${name}`,
      `#!/bin/sh\nfor word in ${name} "$@"; do printf '%s\\036' "$word"; done >>"$LOG$LINE"\nprintf '\\035' >>"$LOG$LINE"\n`,
      {mode: 0o755},
    );
  return bin;
}

const PIECES = [
  ['a', 'b', 'rm', 'x', '-r', "'q q'", '"d d"', 'e\\ e', '$(', ')', '`', '\n', ';', '&&', '||', '|', '&'],
  ['<<E', '\nE\n', '${x:-', '"${x:-`rm`}"', '}', '{', '(', '#', '\\', '\\\n', '<(', "'", '"', ' ', '\t'],
  ['>/dev/null', '2>&1', 'if', 'then', 'fi', 'A=1', '!', "$'", '$"', '~', '*', '=', 'sh -c', '[[', ']]'],
].flat();
const piece = fc.constantFrom(...PIECES);

test.each(['/bin/sh', '/bin/bash'])(
  'every program that %s starts for a resolved command is among its programs',
  (shell) => {
    const PATH = usePrograms();
    const resolved = new Map<string, readonly string[]>();
    const command = fc
      .array(fc.tuple(piece, fc.constantFrom(' ', ' ', '')), {minLength: 1, maxLength: 10})
      .map((pieces) => pieces.flat().join(''));
    fc.assert(
      fc.property(command, (line) => {
        const {programs, unresolved} = readCommand(line, grammar);
        if (unresolved !== undefined || programs.length === 0) return;
        resolved.set(
          line,
          programs.map(({words}) => JSON.stringify(words)),
        );
      }),
      // One in ten is resolved.
      {numRuns: 1500},
    );
    expect(resolved.size).toBeGreaterThan(50);
    const LOG = `${sandbox.root}/log-`;
    const lines = [...resolved.keys()].map((line) => `${line}\nwait`);
    printedBy(shell, lines, {cwd: sandbox.root, env: {PATH, LOG}});
    const started: (readonly [line: string, words: string])[] = [];
    for (const [at, line] of [...resolved.keys()].entries()) {
      const log = readFileIfAny(`${LOG}${at}`, 100_000) ?? '';
      for (const call of log.split('\u001D').slice(0, -1)) {
        const words = JSON.stringify(call.split('\u001E').slice(0, -1));
        started.push([line, words]);
      }
    }
    expect(started.length).toBeGreaterThan(10);
    expect(started.filter(([line, words]) => !resolved.get(line)?.includes(words))).toEqual([]);
  },
);
