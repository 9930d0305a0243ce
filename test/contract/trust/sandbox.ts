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

/** A process as it recorded itself when it started. */
export interface Ran {
  /** Its real folder. */
  readonly cwd: string;
  /** Its name and arguments. */
  readonly argv: readonly string[];
}

/** A folder in which every write and started program is recorded. */
export interface Sandbox {
  /** The parent of all the others. */
  readonly base: string;
  /** The session's folder. */
  readonly cwd: string;
  /** The files in the session's folder, with their contents. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Programs that were started, as they recorded themselves. */
  readonly ran: () => readonly Ran[];
}

/** @param programs names of programs on PATH that only record how they were started */
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

/** A program that records how it was started, in a file of its own that appears complete. */
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
