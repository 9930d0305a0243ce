import type {SessionsCommand} from './sessions-arguments.ts';
import type {SearchHit} from '../../../storage/sessions/stored-session.ts';
import {age} from '../../../text/format.ts';
import {jsonText} from '../../../text/json.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {truncate} from '../../../text/truncate.ts';
import {wrap} from '../../../text/wrap.ts';
import {
  type SessionsContext,
  agentOf,
  maskedSession,
  sessionDisplayName,
  sessionJson,
  matchesFilter,
  reportFailure,
} from './session-lookup.ts';
import {addAll} from '../../../text/lists.ts';

const MAX_HITS = 20;

/** Length of a passage that contains a credential, in UTF-16 units. */
const MAX_MASKED_LENGTH = 200;

const roles = {title: 'title', user: 'you', agent: 'agent', tool: 'tool'} as const;

/** Searches passages, newest first, grouped by session. */
export function searchSessions(
  {query, filter, limit = MAX_HITS, json}: Extract<SessionsCommand, {kind: 'search'}>,
  context: SessionsContext,
): number {
  const {store, stdout, stderr} = context;
  const listed = store.list({include: 'archived'});
  if (!listed.ok) return reportFailure(listed.failure, stderr);
  const among = listed.value.filter(matchesFilter(filter, context)).map(({id}) => id);
  // A title that repeats the prompt is found, but is no hit.
  const found = store.search(query, {limit: 2 * limit, among});
  if (!found.ok) return reportFailure(found.failure, stderr);
  const hits = found.value.slice(0, limit).map((hit) => maskedHit(hit, context));
  if (json) {
    const json = hits.map(({session, ...hit}) => ({...hit, session: sessionJson(session)}));
    stdout.write(`${jsonText({v: 1, query, hits: json}, 2)}\n`);
    return 0;
  }
  if (hits.length === 0) stderr('No matches.\n');
  for (const line of linesOf(hits, context)) stdout.write(`${line}\n`);
  return 0;
}

/** A credential may start before the snippet or be cut at its end, so the whole passage is checked. */
function maskedHit(hit: SearchHit, {store, mask}: Pick<SessionsContext, 'store' | 'mask'>): SearchHit {
  const session = maskedSession(hit.session, mask);
  const named = hit.subagent === undefined ? hit : {...hit, subagent: mask(hit.subagent)};
  const passage = store.passage(hit);
  const masked = passage.ok ? mask(passage.value) : '';
  const shown = hit.snippet.map(({text}) => text).join('');
  const isClean = masked.includes(shown.replace(/^…|…$/g, ''));
  if (isClean && mask(shown) === shown) return {...named, session};
  const [visible = ''] = new RegExp(`^[^]{0,${MAX_MASKED_LENGTH}}(?=\\s|$)`).exec(masked.trimStart()) ?? [];
  const rest = visible.length < masked.trimStart().length ? '…' : '';
  return {...named, session, snippet: [{text: visible + rest, found: false}]};
}

function linesOf(hits: readonly SearchHit[], {stdout, now}: SessionsContext): readonly string[] {
  const {style, columns} = stdout;
  const lines: string[] = [];
  for (const group of Map.groupBy(hits, ({session}) => session.id).values()) {
    const [{session}] = group as [SearchHit];
    const facts = [age(now() - session.updatedAt), agentOf(session), sanitizeLine(session.cwd)].join(' · ');
    const head = `${style.bold(session.id)}  ${sessionDisplayName(session)}  ${style.dim(facts)}`;
    if (lines.length > 0) lines.push('');
    lines.push(columns === undefined ? head : truncate(head, columns));
    for (const hit of group) addAll(lines, passageLines(hit, stdout));
  }
  return lines;
}

function passageLines(
  {role, subagent, snippet}: SearchHit,
  {style, columns}: SessionsContext['stdout'],
): readonly string[] {
  const text = snippet
    .map((part) => {
      const shown = part.text.replaceAll(/\s+/g, ' ');
      return part.found ? style.found(shown) : shown;
    })
    .join('');
  const child = `${role === 'tool' ? 'tool of ' : ''}subagent ${subagent}`;
  const by = subagent === undefined ? roles[role] : child;
  const line = `${style.dim(`${by}:`)} ${text}`;
  return (columns === undefined ? [line] : wrap(line, Math.max(1, columns - 2))).map((row) => `  ${row}`);
}
