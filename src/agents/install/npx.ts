import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {jsonOf} from '../../text/json.ts';
import {agentEnvironment} from '../environment.ts';
import {lastWords} from '../../agent-words.ts';
import {installFailed} from './failures.ts';
import type {MakeAgent} from './kind.ts';

const NPM_ARGS = [
  'install',
  '--no-audit',
  '--no-fund',
  '--omit=dev',
  '--install-strategy=hoisted',
  '--loglevel=error',
];

/**
 * A package of npm, in a folder of its own. `npx` would fetch it when it is first started, long after it was agreed to, and again when
 * its cache is cleaned; and each start would wait for npm.
 */
export const makeNpx: MakeAgent<'npx'> = async (plan, {folder, signal, onStep}) => {
  const {id, pinned, cmd, args, env} = plan;
  const spec = `${pinned.name}@${pinned.version}`;
  onStep?.({kind: 'run', program: 'npm'});
  // The settings of npm count that the user has, not those of a project that is around.
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const {execa} = await import('execa');
  const npm = await execa('npm', [...NPM_ARGS, `--prefix=${folder}`, spec], {
    cwd: folder,
    env: agentEnvironment(process.env, {}),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    ...(signal && {cancelSignal: signal}),
  });
  if (npm.failed) {
    return installFailed(
      id,
      'runner_failed',
      `This is what npm says: ${saidBy(npm.stderr) ?? npm.shortMessage}`,
    );
  }
  const program = await programOf(join(folder, 'node_modules', pinned.name), cmd);
  if (program === undefined) return installFailed(id, 'no_program', cmd ?? pinned.name);
  const command = `./node_modules/.bin/${program}${process.platform === 'win32' ? '.cmd' : ''}`;
  return {ok: true, value: {from: spec, start: {command, args, env}}};
};

/** The first lines that are for people: not codes, the places in npm, and where its log is. */
function saidBy(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*(?:(?:[a-z]+|\d{3})\s+(?=[A-Z]))?/, ''))
    .filter((line) => !/^(?:E[A-Z0-9]+|syscall|errno|at|A complete log|\d{3}|)(?:\s|$)/.test(line));
  return lastWords(lines.slice(0, 2).join('\n'))?.replaceAll('\n', ' | ');
}

const packageSchema = z.object({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/** As `npx` chooses: the one that is asked for, the only one, or the one that is called as the package is. */
async function programOf(folder: string, wanted: string | undefined): Promise<string | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  const read = packageSchema.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const {name, bin} = read.data;
  const own = name.replace(/^@[^/]*\//, '');
  const programs = typeof bin === 'string' ? [own] : Object.keys(bin);
  const chosen = wanted ?? (programs.length === 1 ? programs[0] : own);
  return programs.find((program) => program === chosen && /^[\w.-]+$/.test(program));
}
