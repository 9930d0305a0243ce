import {exchangesOf, fieldsOf, messageOf, methodOf, textOf, type Exchange} from './exchanges.ts';
import {runsOf, type RecordingLine} from './format.ts';

/** Requests whose response contains the session id. */
const NAMING = new Set(['session/new', 'session/fork']);
const OPENING = new Set([...NAMING, 'session/load', 'session/resume']);

/** Returns the lines of a session: of the agent processes in which it was open, everything except messages of other sessions. Its subagents are included. */
export function linesOfSession(lines: readonly RecordingLine[], sessionId: string): readonly RecordingLine[] {
  const chosen = runsOf(lines).flatMap((run) => {
    const sessions = sessionsIn(run);
    return [...sessions.values()].includes(sessionId) ? linesOf(run, sessions, sessionId) : [];
  });
  const kept = new Set(chosen);
  return lines.filter((line) => kept.has(line));
}

/** The lines of an agent process, or of one of the sessions that it served in parallel. */
export interface SessionRun {
  /** Its first line is in no other run. */
  readonly lines: readonly RecordingLine[];
  /** Number of the agent process, from 1. */
  readonly process: number;
  /** The number of the session in its process, from 1, and their count; undefined for a whole process. */
  readonly session: {readonly number: number; readonly of: number} | undefined;
}

/** Returns the agent processes of a recording, or the one with this number; one that served several sessions in parallel once for each. */
export function sessionRuns(
  lines: readonly RecordingLine[],
  wanted: number | undefined,
): readonly SessionRun[] {
  return runsOf(lines).flatMap((run, index): readonly SessionRun[] => {
    const process = index + 1;
    if (wanted !== undefined && process !== wanted) return [];
    const sessions = sessionsIn(run);
    const opened = overlapping(run, sessions);
    if (opened.length === 0) return [{lines: run, process, session: undefined}];
    return opened.map((sessionId, at) => {
      const [first, ...others] = linesOf(run, sessions, sessionId);
      const lines = first ? [{...first}, ...others] : [];
      return {lines, process, session: {number: at + 1, of: opened.length}};
    });
  });
}

function linesOf(
  run: readonly RecordingLine[],
  sessions: ReadonlyMap<RecordingLine, string>,
  sessionId: string,
): readonly RecordingLine[] {
  return run.filter((line) => (sessions.get(line) ?? sessionId) === sessionId);
}

/** Returns the sessions of a run if one was still in use after another was opened: a session that replaces another one continues its transcript. */
function overlapping(
  run: readonly RecordingLine[],
  sessions: ReadonlyMap<RecordingLine, string>,
): readonly string[] {
  const opened: string[] = [];
  let doOverlap = false;
  for (const line of run) {
    const sessionId = sessions.get(line);
    const method = methodOf(messageOf(line));
    if (line.d !== '>' || sessionId === undefined || method === '' || method === 'session/close') continue;
    if (OPENING.has(method) && !opened.includes(sessionId)) opened.push(sessionId);
    else if (opened.includes(sessionId) && opened.at(-1) !== sessionId) doOverlap = true;
  }
  return doOverlap ? opened : [];
}

/** Returns the session of each line; for a subagent its root session. */
function sessionsIn(run: readonly RecordingLine[]): ReadonlyMap<RecordingLine, string> {
  const exchanges = exchangesOf(run);
  const parents = new Map(exchanges.flatMap(announced));
  const found = new Map<RecordingLine, string>();
  for (const {line, method, answer} of exchanges) {
    const message = messageOf(line);
    const named = textOf(fieldsOf((answer?.message ?? message)?.['result'])['sessionId']);
    const requested = textOf(fieldsOf(message?.['params'])['sessionId']);
    const sessionId = NAMING.has(method) ? named : (requested ?? named);
    if (sessionId === undefined) continue;
    const root = rootOf(sessionId, parents);
    found.set(line, root);
    const answered = answer && run[answer.index];
    if (answered) found.set(answered, root);
  }
  return found;
}

/** Returns a subagent with its parent, if the exchange announces one. */
function announced({line}: Exchange): readonly (readonly [child: string, parent: string])[] {
  const params = fieldsOf(messageOf(line)?.['params']);
  const update = fieldsOf(params['update']);
  const [child, parent] = [textOf(update['sessionId']), textOf(params['sessionId'])];
  const isAnnounced = update['sessionUpdate'] === 'subagent_update' && child !== undefined;
  return isAnnounced && parent !== undefined ? [[child, parent]] : [];
}

function rootOf(sessionId: string, parents: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let root = sessionId;
  for (let next = parents.get(root); next !== undefined && !seen.has(next); next = parents.get(root)) {
    seen.add(next);
    root = next;
  }
  return root;
}
