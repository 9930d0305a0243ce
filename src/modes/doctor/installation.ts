import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {release} from 'node:os';
import {dirname} from 'node:path';
import {systemKeyring} from '../../storage/credentials/keyring.ts';
import {databaseHealth} from '../../storage/database/database.ts';
import {findPaths} from '../../shared/files/paths.ts';
import {readSettings} from '../../settings/settings.ts';
import {problemTexts} from '../../settings/setting-problems.ts';
import {trySandbox} from '../../sandbox/set-up.ts';
import {describeFailure, failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {version} from '../../shared/version.ts';

/** A check of this installation. */
export interface EnvironmentCheck {
  /** Stable, for programs. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** False if the user has to act. */
  readonly ok: boolean;
}

/** Checks this installation without a screen. Changes nothing. */
export async function checkEnvironment(
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly EnvironmentCheck[]> {
  const paths = findPaths(env);
  const {problems} = readSettings(paths.config, env);
  return [
    {id: 'version', name: 'acp-tui', value: version, ok: true},
    {id: 'node', name: 'Node.js', value: `${process.version}, ${process.execPath}`, ok: true},
    {id: 'system', name: 'system', value: `${process.platform} ${release()} ${process.arch}`, ok: true},
    {id: 'terminal', name: 'terminal', value: terminal(env), ok: true},
    folder('config', 'settings', paths.config),
    folder('state', 'sessions and log', paths.state),
    {
      id: 'settings',
      name: 'settings problems',
      value: problemTexts(problems).join(' ') || 'none',
      ok: problems.length === 0,
    },
    database(paths.state),
    await pseudoTerminals(),
    await keyring(),
    await sandbox(),
  ];
}

/** Why it is unavailable, and what to install. */
function reason(failure: Failure): string {
  const {why, todo} = describeFailure(failure);
  return ['not available.', why, todo].filter(Boolean).join(' ');
}

function terminal(env: NodeJS.ProcessEnv): string {
  const {columns, rows, isTTY} = process.stdout;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const parts = [
    env['TERM_PROGRAM'],
    `TERM=${env['TERM'] ?? ''}`,
    env['COLORTERM'] === undefined ? undefined : `COLORTERM=${env['COLORTERM']}`,
    isTTY ? `${columns}×${rows}, ${process.stdout.getColorDepth(env)} bits of color` : 'not standard output',
    /utf-?8/i.test(locale) || process.platform !== 'linux' ? undefined : 'the locale is not UTF-8',
    env['TMUX'] ? 'in tmux' : undefined,
    env['SSH_CONNECTION'] ? 'over SSH' : undefined,
  ];
  return parts.filter(Boolean).join(', ');
}

function folder(id: string, name: string, path: string): EnvironmentCheck {
  let nearest = path;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if (!canHold(nearest)) return {id, name, value: `${path} is not writable`, ok: false};
  return {id, name, value: nearest === path ? path : `${path} (created when needed)`, ok: true};
}

function canHold(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function database(state: string): EnvironmentCheck {
  const about = {id: 'database', name: 'database'};
  const health = databaseHealth(state);
  if (!health.ok) return {...about, value: failureSentence(health.failure), ok: false};
  const {exists, check} = health.value;
  return {...about, value: exists ? check : 'none yet', ok: check === 'ok'};
}

async function pseudoTerminals(): Promise<EnvironmentCheck> {
  const about = {id: 'node-pty', name: 'pseudo-terminals'};
  try {
    await import('@lydell/node-pty');
    return {...about, value: 'node-pty is available', ok: true};
  } catch {
    return {
      ...about,
      value: 'node-pty cannot be loaded: commands run without colors and cannot be typed into',
      ok: false,
    };
  }
}

/** Optional: without it, agents are not confined. It is set up once and closed again. */
async function sandbox(): Promise<EnvironmentCheck> {
  const about = {id: 'sandbox', name: 'sandbox', ok: true};
  const opened = await trySandbox();
  return {...about, value: opened.ok ? 'it is available' : reason(opened.failure)};
}

/** Optional: without it, sign-in values are asked for again. */
async function keyring(): Promise<EnvironmentCheck> {
  const problem = await systemKeyring().problem();
  return {id: 'keyring', name: 'system keyring', value: problem ?? 'it is available', ok: true};
}
