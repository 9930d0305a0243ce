import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry} from '../../src/session/entries.ts';
import type {ChangedFile} from '../../src/session/line-counts.ts';
import type {SessionState} from '../../src/session/state.ts';
import {comparedDiff} from '../tool-call/diff.ts';

/** Number of newest entries that may still change. */
const UNSETTLED = 64;

/** Counts the changes of all calls since the session was opened; each call is counted once, so that a long session costs no more. */
export function createChangeCounter(): (session: SessionState) => readonly ChangedFile[] {
  let settled = new Map<string, ChangedFile>();
  let next: number | undefined;
  let rearranged: number | undefined;
  return (session) => {
    const {entries, sessionStart} = session;
    if (next === undefined || session.rearranged !== rearranged || next > entries.length) {
      settled = new Map();
      next = sessionStart;
    }
    rearranged = session.rearranged;
    for (; next < entries.length - UNSETTLED; next++) count(settled, entries.get(next));
    const now = new Map(settled);
    for (let index = next; index < entries.length; index++) count(now, entries.get(index));
    return [...now.values()];
  };
}

function count(files: Map<string, ChangedFile>, entry: Entry | undefined): void {
  if (entry?.type !== 'tool_call' || entry.status !== 'completed') return;
  for (const part of entry.content) if (part.type === 'diff') add(files, part);
}

function add(files: Map<string, ChangedFile>, diff: acp.Diff): void {
  const {path} = diff;
  const {added, removed} = comparedDiff(diff).stats;
  const before = files.get(path);
  files.set(path, {
    path,
    status: before?.status ?? (diff.oldText === null || diff.oldText === undefined ? 'added' : 'modified'),
    added: (before?.added ?? 0) + added,
    removed: (before?.removed ?? 0) + removed,
  });
}
