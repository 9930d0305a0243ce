import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {onTestFinished, vi} from 'vitest';

/** A process as it saw itself when it started. */
export interface Ran {
  /** Its real folder. */
  readonly cwd: string;
  /** Its name and arguments. */
  readonly argv: readonly string[];
}

/** A place on the disk in which everything that is done is seen. */
export interface Sandbox {
  /** Around all others. */
  readonly base: string;
  /** The session's folder. */
  readonly cwd: string;
  /** The files in the session's folder, with what they hold. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Programs that were started, as they saw themselves. */
  readonly ran: () => readonly Ran[];
}

/** @param programs names on PATH of programs that only write down how they were started */
export function makeSandbox(files: Readonly<Record<string, string>>, programs: readonly string[]): Sandbox {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'acp-tui-trust-')));
  const [cwd, bin, ran] = [join(base, 'project'), join(base, 'bin'), join(base, 'ran')];
  for (const folder of [cwd, bin, ran]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  for (const name of programs) writeFileSync(join(bin, name), witness(ran), {mode: 0o755});
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(base, {recursive: true, force: true, maxRetries: 5});
  });
  return {
    base,
    cwd,
    files: () => filesIn(cwd),
    ran: () =>
      readdirSync(ran)
        .filter((name) => !name.startsWith('.'))
        .toSorted()
        .map((name) => ranAs(readFileSync(join(ran, name), 'utf8'))),
  };
}

/** A program that writes down how it was started, in a file of its own that is whole when it is there. */
function witness(folder: string): string {
  const file = `'${folder}'/.$$`;
  const name = `'${folder}'/"$(date +%s%N)-$$"`;
  return `#!/bin/sh\nprintf '%s\\0' "$(pwd -P)" "\${0##*/}" "$@" > ${file}\nmv ${file} ${name}\n`;
}

function ranAs(text: string): Ran {
  const [cwd = '', ...argv] = text.split('\0').slice(0, -1);
  return {cwd, argv};
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted();
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}
