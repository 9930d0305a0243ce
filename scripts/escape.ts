import {spawnSync} from 'node:child_process';
import {chownSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {attempts} from '../fixtures/escape/attempt.ts';

/**
 * Tries the ways out of a sandbox (fixtures/escape/ways.ts), as this user, and if that is root as another one, too. Prints a table; exits with 1 if one
 * leaves. Words limit it to ways whose names have one of them.
 */

const NOBODY = 65534;
const words = process.argv.slice(2);
// Not in the temporary folder, which a sandbox replaces.
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(cache, {recursive: true});

const given = process.env['ESCAPE_FOLDER'];
const folder = given ?? mkdtempSync(join(cache, 'escape-'));
try {
  const left = await tryAll();
  process.exitCode = left > 0 || asNobody() !== 0 ? 1 : 0;
} finally {
  if (given === undefined) rmSync(folder, {recursive: true, force: true});
}

async function tryAll(): Promise<number> {
  let [held, left] = [0, 0];
  let group = '';
  console.log(`As user ${process.getuid?.()}`);
  for await (const each of attempts(
    folder,
    ({name}) => words.length === 0 || words.some((word) => name.includes(word)),
  )) {
    if (each.group !== group) console.log(`\n${(group = each.group)}`);
    console.log(
      `  ${each.left === undefined ? 'held' : 'LEFT'}  ${each.name.padEnd(46)}  ${(each.left ?? each.said).slice(0, 110)}`,
    );
    if (each.left === undefined) held += 1;
    else left += 1;
  }
  console.log(`\n${held} held, ${left} left\n`);
  return left;
}

/** Returns the exit code of the same as another user, in the same folder; 0 if this is not root. */
function asNobody(): number {
  if (process.getuid?.() !== 0) return 0;
  chownSync(folder, NOBODY, NOBODY);
  const as = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', '--'];
  const {status} = spawnSync('setpriv', [...as, process.execPath, fileURLToPath(import.meta.url), ...words], {
    stdio: 'inherit',
    env: {...process.env, ESCAPE_FOLDER: folder, HOME: folder},
  });
  return status ?? 1;
}
