import {createHash} from 'node:crypto';
import {closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {LogRecord} from '../session/requests/permission-rules.ts';
import {jsonOf} from '../text/json.ts';
import {createMask, type Secrets} from '../shared/mask.ts';
import {makeFolder, PRIVATE_FILE} from '../shared/files/safe-files.ts';
import {endsLine} from './sessions/event-writer.ts';

/** The log of decisions about requests of an agent, and of what hooks did: a file per session, a line each, append-only. */
interface Audit {
  readonly append: (record: LogRecord) => void;
  /** Returns the records of a session, oldest first, including earlier runs. */
  readonly read: (sessionId: string) => readonly LogRecord[];
}

interface AuditOptions {
  /** The state folder. */
  readonly state: string;
  /** Environment whose secret values are masked. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other values to mask. */
  readonly secrets?: Secrets;
  readonly onProblem: (problem: unknown) => void;
}

/** Maximum length of a text. Masked before it is cut, so that no secret is cut and then missed. */
const MAX_TEXT = 4000;

/** Returns the log of an agent, by the user's name for it: sessions of different agents may have the same id. */
export type AuditOf = (agent: string) => Audit;

/** Keeps the decisions of this process in memory only. */
export function createForgetfulAudit(): AuditOf {
  const records = new Map<string, LogRecord[]>();
  return (agent) => {
    const own = records.get(agent) ?? [];
    records.set(agent, own);
    return {
      append: (record) => void own.push(record),
      read: (wanted) => own.filter(({sessionId}) => sessionId === wanted),
    };
  };
}

export function createAudit({state, env, secrets, onProblem}: AuditOptions): AuditOf {
  const folder = join(state, 'audit');
  const mask = createMask(env, secrets);
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? mask(value.slice(0, 4 * MAX_TEXT)).slice(0, MAX_TEXT) : value;

  const inFile = (fileOf: (sessionId: string) => string): Audit => ({
    append(record) {
      try {
        makeFolder(folder);
        withFile(fileOf(record.sessionId), APPEND, (handle) => {
          const {mode, size} = fstatSync(handle);
          if ((mode & 0o777) !== PRIVATE_FILE) fchmodSync(handle, PRIVATE_FILE);
          const endOfCut = size === 0 || endsLine(handle, size) ? '' : '\n';
          writeFileSync(handle, `${endOfCut}${JSON.stringify(record, clean)}\n`);
        });
      } catch (error) {
        onProblem(error);
      }
    },
    read(sessionId) {
      try {
        const text = withFile(fileOf(sessionId), constants.O_RDONLY, (handle) =>
          readFileSync(handle, 'utf8'),
        );
        return text.split('\n').flatMap(parsed);
      } catch {
        return [];
      }
    },
  });
  return (agent) => inFile((sessionId) => join(folder, `${nameOf(agent, sessionId)}.ndjson`));
}

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/** Opens regular files only: follows no link, and does not wait for a FIFO. */
function withFile<T>(path: string, flags: number, work: (handle: number) => T): T {
  const handle = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, PRIVATE_FILE);
  try {
    if (!fstatSync(handle).isFile()) throw new Error(`${path} is not a regular file`);
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

/** Session ids come from the agent, so they are hashed for file names. */
function nameOf(agent: string, sessionId: string): string {
  const readable = sessionId.replace(/[^\w-]/g, '').slice(0, 40);
  const hash = createHash('sha256')
    .update(JSON.stringify([agent, sessionId]))
    .digest('hex')
    .slice(0, 12);
  return readable === '' ? hash : `${readable}-${hash}`;
}

/** A line may be partial after a kill. */
function parsed(line: string): LogRecord[] {
  const record = jsonOf(line);
  return record === undefined ? [] : [record as LogRecord];
}
