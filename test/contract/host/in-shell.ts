import {execFileSync} from 'node:child_process';

/** `$LINE` is the number of the line, from 0. */
const DRIVER = String.raw`shell=$1; shift; LINE=0; export LINE
for line do "$shell" -c "$line"; printf '\036'; LINE=$((LINE + 1)); done`;

/** Returns what a shell prints for each of these lines. Each has a shell of its own, started by one for all: Node takes several times as long. */
export function printedBy(
  shell: string,
  lines: readonly string[],
  where: {readonly cwd: string; readonly env: NodeJS.ProcessEnv},
): readonly string[] {
  const printed = execFileSync('/bin/sh', ['-c', DRIVER, 'sh', shell, ...lines], {
    ...where,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return printed.split('\u001E').slice(0, -1);
}
