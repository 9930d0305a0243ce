import {setTimeout as sleep} from 'node:timers/promises';
import type {AgentProcess} from '../../../agents/launch.ts';
import {hasCapability} from '../../../session/lifecycle/agent-capabilities.ts';
import type {Result} from '../../../shared/failure.ts';
import {pluralize, duration} from '../../../text/format.ts';
import type {Verdict} from '../attempt.ts';
import {skipCheck, type Probe, type Check, type AgentRun} from '../examination.ts';
import {featureProbe} from './feature.ts';

/** "Closing Active Sessions". */
export const close = featureProbe({
  id: 'session/close',
  name: 'closing a session',
  offered: 'close',
  needs: 'session',
  async work({connection}, {sessionId}, {found: {forks}}) {
    for (const copy of forks) await connection.closeSession(copy);
    return connection.closeSession(sessionId);
  },
});

/** "Session Delete": only the session created here, and its forks. If that is unsupported, they stay with the agent. */
export const deletion = featureProbe({
  id: 'session/delete',
  name: 'deleting a session',
  offered: 'delete',
  unoffered: ({session, answer}) =>
    !session || answer === undefined ? '' : `the agent may keep the session ${session.sessionId}`,
  needs: 'session',
  isInAnother: true,
  async work(run, {sessionId, cwd}, {found: {forks, initialized}}): Promise<Result<boolean>> {
    const created = [...forks, sessionId];
    for (const id of created) {
      const deleted = await run.connection.deleteSession(id);
      if (!deleted.ok) return deleted;
    }
    if (!hasCapability(initialized?.agentCapabilities, 'list')) return {ok: true, value: false};
    const left = await listed(run, cwd);
    return left.ok ? {ok: true, value: left.value.some((id) => created.includes(id))} : left;
  },
  judge: (isLeft) => (isLeft ? {wrong: 'it is still listed afterwards'} : {}),
});

async function listed({connection}: AgentRun, cwd: string): Promise<Result<readonly string[]>> {
  const page = await connection.listSessions({cwd});
  return page.ok ? {ok: true, value: page.value.sessions.map(({sessionId}) => sessionId)} : page;
}

/** With more pages, or a repeated one, the list counts as endless. */
const MAX_PAGES = 100;

/** "Session List": all pages, and those of the folder. */
export const list = featureProbe({
  id: 'session/list',
  name: 'listing sessions',
  offered: 'list',
  needs: 'agent',
  async work(run, _, {options: {cwd}}): Promise<Result<Listed>> {
    const all = await pagesOf(run);
    if (!all.ok) return all;
    const here = await run.connection.listSessions({cwd});
    if (!here.ok) return here;
    const strangers = here.value.sessions.filter((session) => session.cwd !== cwd).length;
    return {ok: true, value: {...all.value, strangers}};
  },
  judge: listVerdict,
});

interface Pages {
  readonly pages: number;
  readonly sessions: number;
  /** False if the last requested page had a next one, or repeated an earlier one. */
  readonly ends: boolean;
}

/** `strangers` are sessions of other folders in the list of one. */
type Listed = Pages & {readonly strangers: number};

async function pagesOf({connection}: AgentRun): Promise<Result<Pages>> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let sessions = 0;
  for (let pages = 1; ; pages++) {
    const page = await connection.listSessions(cursor === undefined ? {} : {cursor});
    if (!page.ok) return page;
    sessions += page.value.sessions.length;
    // Some agents send an empty cursor instead of none.
    cursor = page.value.nextCursor || undefined;
    if (cursor === undefined) return {ok: true, value: {pages, sessions, ends: true}};
    if (cursors.has(cursor) || pages === MAX_PAGES) return {ok: true, value: {pages, sessions, ends: false}};
    cursors.add(cursor);
  }
}

function listVerdict({pages, sessions, ends, strangers}: Listed): Verdict {
  if (!ends) return {wrong: `the list does not end after ${pluralize(pages, 'page')}`};
  if (strangers > 0) return {wrong: `for one folder, it lists ${pluralize(strangers, 'session')} of others`};
  return {note: `${pluralize(sessions, 'session')} on ${pluralize(pages, 'page')}`};
}

/** How long an agent may take to exit, in milliseconds. acp-tui itself waits for less. */
const LIMIT_MS = 10_000;
/** How long its child processes may take after that, in milliseconds. */
const AFTERWARDS_MS = 2000;
const LOOK_AGAIN_MS = 50;

const SUBJECT = {id: 'shut-down', name: 'exiting when its input ends', advertised: 'unspecified'} as const;

/** Checks how an agent exits when its input closes, and which processes it leaves behind. */
export const shutDown: Probe = async (examination) => {
  const {run, initialized} = examination.found;
  const {signal, onProgress} = examination.options;
  if (!run || !initialized) return [];
  if (await Promise.race([run.process.exited, Promise.resolve()])) {
    await run.end();
    return [skipCheck(SUBJECT, 'it had already exited')];
  }
  const {process} = run;
  if ('transport' in process) {
    await run.end();
    return [skipCheck(SUBJECT, 'it runs elsewhere')];
  }
  onProgress(SUBJECT.name);
  const startedAt = performance.now();
  process.closeInput();
  const exit = await Promise.race([process.exited, sleep(LIMIT_MS, undefined, {signal, ref: false})]);
  const ms = Math.round(performance.now() - startedAt);
  const left = exit ? await leftovers(process, signal) : 0;
  await run.end();
  return [shutDownVerdict({exit, left, ms})];
};

/** Returns the number of its processes that are still running. */
async function leftovers(process: AgentProcess, signal: AbortSignal): Promise<number> {
  const deadline = performance.now() + AFTERWARDS_MS;
  let left = process.living();
  while (left > 0 && performance.now() < deadline) {
    await sleep(LOOK_AGAIN_MS, undefined, {signal});
    left = process.living();
  }
  return left;
}

interface Ending {
  readonly exit: {readonly code: number | null; readonly signal: string | null} | undefined;
  readonly left: number;
  readonly ms: number;
}

function shutDownVerdict({exit, left, ms}: Ending): Check {
  if (!exit)
    return {
      ...SUBJECT,
      result: 'failed',
      note: `it was still running after ${duration(LIMIT_MS)}, and was killed`,
    };
  const how = exit.signal ?? `exit code ${String(exit.code)}`;
  return left > 0
    ? {
        ...SUBJECT,
        result: 'failed',
        ms,
        note: `${how}; it left ${left === 1 ? 'a process' : `${left} processes`} behind`,
      }
    : {...SUBJECT, result: 'worked', ms, note: how};
}

/** `session/archive` and `session/unarchive`, only for the session created here. */
export const archive = featureProbe({
  id: 'session/archive',
  name: 'archiving a session',
  offered: 'archive',
  needs: 'messages',
  isInAnother: true,
  async work({connection}, {sessionId}) {
    const archived = await connection.archiveSession(sessionId);
    return archived.ok ? connection.unarchiveSession(sessionId) : archived;
  },
});
