import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import * as fc from 'fast-check';
import {beforeAll, expect, test} from 'vitest';
import {readCommand} from '../../../../src/host/rules/read-command.ts';
import {loadShellGrammar, type ShellGrammar} from '../../../../src/host/rules/shell-grammar.ts';
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
      `#!/bin/sh\nfor word in ${name} "$@"; do printf '%s\\036' "$word"; done >>"$LOG"\nprintf '\\035' >>"$LOG"\n`,
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
    let resolved = 0;
    const command = fc
      .array(fc.tuple(piece, fc.constantFrom(' ', ' ', '')), {minLength: 1, maxLength: 10})
      .map((pieces) => pieces.flat().join(''));
    fc.assert(
      fc.property(command, (line) => {
        const {programs, unresolved} = readCommand(line, grammar);
        if (unresolved !== undefined || programs.length === 0) return;
        resolved += 1;
        const LOG = `${sandbox.root}/log-${resolved}`;
        writeFileSync(LOG, '');
        try {
          execFileSync(shell, ['-c', `${line}\nwait`], {
            env: {PATH, LOG},
            cwd: sandbox.root,
            stdio: 'ignore',
          });
        } catch {
          // The exit code of a random command means nothing.
        }
        const known = programs.map(({words}) => JSON.stringify(words));
        const started = readFileSync(LOG, 'utf8').split('\u001D').slice(0, -1);
        for (const call of started) {
          const words = call.split('\u001E').slice(0, -1);
          expect(known).toContain(JSON.stringify(words));
        }
      }),
      // One in ten is resolved.
      {numRuns: 1500},
    );
    expect(resolved).toBeGreaterThan(50);
  },
);
