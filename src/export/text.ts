import type {Entry, SessionMessageEntry, SubagentEntry} from '../session/entries.ts';
import type {TerminalState} from '../session/state.ts';
import {participants} from '../session/subagents/names.ts';
import {duration} from '../text/format.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {SessionDocument, SessionFacts} from './document.ts';

/** Returns an unambiguous time: `2026-03-01 14:05 UTC`. */
function timeLabel(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? 'unknown'
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Returns the header of an exported session as names and values. */
export function factRows({
  facts,
  masked,
  exportedAt,
}: SessionDocument): readonly (readonly [string, string])[] {
  const {cwd, additionalDirectories, branch, createdAt, updatedAt} = facts;
  const rows: (readonly [string, string | undefined])[] = [
    ['Agent', agentLabel(facts)],
    ['Folder', [cwd, ...additionalDirectories].map(sanitizeLine).join(', ')],
    ['Branch', branch],
    ['Started', timeLabel(createdAt)],
    ['Last used', timeLabel(updatedAt)],
    ['Exported', `${timeLabel(exportedAt)}${masked ? ', credentials masked' : ''}`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

export function agentLabel({agent}: Pick<SessionFacts, 'agent'>): string {
  const {label, name, version} = agent;
  return sanitizeLine([name ?? label, version].filter(Boolean).join(' '));
}

/** Returns a note on entries that the agent does not know, or no longer knows. */
export function contextNote({excluded, onlyHere}: Entry): string | undefined {
  if (excluded) return 'no longer part of the conversation';
  return onlyHere ? "not in the agent's context" : undefined;
}

/** "Thought for 3 s", until the next entry. */
export function thoughtLabel(entry: Entry, next: Entry | undefined): string {
  const took = next === undefined ? 0 : next.at - entry.at;
  return took < 100 ? 'Thought' : `Thought for ${duration(took)}`;
}

/** Returns the stored output of a command without colors, as shown by a terminal. */
export function terminalText({screen, output, truncated}: TerminalState): string {
  const text = screen
    ? screen.rows
        .map((row) =>
          row
            .map((run) => run.text)
            .join('')
            .trimEnd(),
        )
        .join('\n')
    : output;
  const kept = text.replace(/^\n+/, '').trimEnd();
  const isCut = screen ? screen.dropped > 0 : truncated;
  return isCut ? `… (earlier output was not kept)\n${kept}` : kept;
}

/** Returns what a subagent is called. */
export function subagentTitle(
  {sessionId, title, description}: SubagentEntry,
  document: SessionDocument,
): string {
  const names = [document.subagents.get(sessionId)?.title, title, description, sessionId];
  return names.map((name) => sanitizeLine(name ?? '')).find((name) => name !== '') ?? 'unnamed';
}

/** Returns sender and recipient of a message between sessions, as far as known. */
export function participantTitles(
  entry: SessionMessageEntry,
  {subagents}: SessionDocument,
): ReturnType<typeof participants> {
  return participants(entry, (id) => {
    const known = subagents.get(id);
    return known && sanitizeLine(known.title ?? id);
  });
}

/** Returns the entries of a subagent's session, if its parent is the one being written. */
export function entriesOfSubagent(
  {sessionId}: SubagentEntry,
  {document, within}: {readonly document: SessionDocument; readonly within?: string | undefined},
): readonly Entry[] {
  const known = document.subagents.get(sessionId);
  return known && known.parent === within ? known.entries : [];
}
