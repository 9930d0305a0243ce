import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {refusedWrites} from '../../session/transcript/refused-writes.ts';
import type {Failure, RefusedAtStart} from '../../shared/failure.ts';
import {isWithin, realpathOrItself} from '../../shared/files/folders.ts';
import {filesOfAgent, TEMPORARY} from './agent-places.ts';
import {hiddenPaths} from '../mounts.ts';
import type {ConfinedAgent, SandboxPolicy} from '../policy.ts';

export interface FailedStart {
  readonly agent: Pick<ConfinedAgent, 'command' | 'args' | 'env'>;
  readonly environment: NodeJS.ProcessEnv;
  readonly stderr: string;
}

/** In UTF-16 units: of the end of what it said. */
const MAX_SAID = 16 * 1024;

const MISSING = /no such file|not found|cannot find|can't open|ENOENT|does not exist/i;
const DENIED = /permission denied|EACCES|PermissionError/i;
const SOCKET = /AF_UNIX|\bsockets?\b|\bunix\b|\blisten|\bbind|\bconnect\b|\.sock\b/i;
/** How far before an error what failed stands, in lines: Python shows the call. */
const CALL_LINES = 8;
const NETWORK =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|network is unreachable|connection refused|name resolution|(?:resolve|lookup) (?:host|\S+ on )/i;
const HOST =
  /(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|resolve host:?|lookup|connect(?:ion)? to|\/\/)[ '"]*(\[?[a-z\d][\w.:-]*)/i;

/** Returns why an agent could not be started with what its sandbox refused it, as far as that can be told. */
export function explainFailedStart(policy: SandboxPolicy, failure: Failure, start: FailedStart): Failure {
  if (!isOfStart(failure)) return failure;
  const {agent, environment, stderr} = start;
  const answer = failure.kind === 'agent_error' ? `${failure.message}\n${failure.detail ?? ''}` : '';
  const output = `${stderr}\n${answer}`.slice(-MAX_SAID);
  const files = filesOfAgent(agent, agent.env['PATH'] ?? environment['PATH']);
  const refused = firstOf(files, (file) => coveredFile(file, policy)) ?? refusalIn(output, policy);
  if (refused) return {...failure, refused};
  return failure.kind === 'exited_early' ? {...failure, refused: {reason: 'unknown'}} : failure;
}

type FailureOfStart = Extract<Failure, {readonly refused?: RefusedAtStart}>;
const KINDS: ReadonlySet<Failure['kind']> = new Set([
  'exited_early',
  'connection_lost',
  'no_answer',
  'agent_error',
]);

function isOfStart(failure: Failure): failure is FailureOfStart {
  return KINDS.has(failure.kind);
}

/** Returns what a program says it was refused. */
function refusalIn(output: string, policy: SandboxPolicy): RefusedAtStart | undefined {
  const lines = output.split('\n');
  const missed = lines.filter((line) => MISSING.test(line) || DENIED.test(line)).flatMap(pathsIn);
  return (
    refusedWrite(output, policy) ??
    firstOf(missed, (file) => coveredFile(file, policy)) ??
    refusedSocket(lines, policy) ??
    refusedHost(lines)
  );
}

function firstOf<T, Found>(all: readonly T[], find: (one: T) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A file that is there outside, and not inside. */
function coveredFile(file: string, policy: SandboxPolicy): RefusedAtStart | undefined {
  if (!existsSync(file)) return undefined;
  const {roots, writable, visible, home} = policy;
  const real = realpathOrItself(file);
  const readable = [...roots, ...writable, ...visible].map(realpathOrItself);
  const isShownIn = (place: string) =>
    readable.some((shown) => shown !== place && isWithin(shown, place) && isWithin(real, shown));
  const hidden = hiddenPaths(policy).find((place) => isWithin(real, place));
  if (hidden !== undefined)
    return isShownIn(hidden) ? undefined : {reason: 'hidden', path: file, folder: hidden};
  const temporary = TEMPORARY.find((folder) => isWithin(file, folder));
  if (temporary === undefined || isWithin(real, home) || isShownIn(temporary)) return undefined;
  const [first = '', ...rest] = file.slice(temporary.length + 1).split('/');
  return {reason: 'temporary', path: file, ...(rest.length > 0 && {folder: join(temporary, first)})};
}

function refusedWrite(output: string, {roots, writable, home}: SandboxPolicy): RefusedAtStart | undefined {
  const [path] = refusedWrites([output], [...roots, ...writable]);
  if (path === undefined) return undefined;
  // ~/.my-agent of ~/.my-agent/cache/lock; no folder for a file of the home folder itself.
  const [first = '', ...rest] = isWithin(path, home) ? path.slice(home.length + 1).split('/') : [];
  const folder = first === '' ? dirname(path) : rest.length > 0 ? join(home, first) : undefined;
  return {reason: 'write', path, ...(folder !== undefined && {folder})};
}

function refusedSocket(lines: readonly string[], {sockets}: SandboxPolicy): RefusedAtStart | undefined {
  if (sockets === 'all') return undefined;
  const isIt = (line: string, index: number) =>
    DENIED.test(line) && SOCKET.test(lines.slice(Math.max(0, index - CALL_LINES), index + 1).join('\n'));
  return lines.some(isIt) ? {reason: 'socket'} : undefined;
}

function refusedHost(lines: readonly string[]): RefusedAtStart | undefined {
  const line = lines.find((each) => NETWORK.test(each));
  if (line === undefined) return undefined;
  const host = HOST.exec(line)?.[1]?.replace(/(?<![.:])[.:]+$/, '');
  return {reason: 'network', ...(host !== undefined && {host})};
}

function pathsIn(line: string): readonly string[] {
  return Array.from(line.matchAll(/(?<![\w.~])\/[^\s:'"`‘’“”,;()[\]]+/g), ([path]) => path);
}
