import type {SessionsCommand} from '../../cli/sessions/commands.ts';
import type {StoredSession} from '../../persistence/sessions/stored-session.ts';
import {age} from '../../text/format.ts';
import {jsonText} from '../../text/json.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';
import {width} from '../../text/width.ts';
import type {SessionsContext} from './context.ts';
import {agentOf, nameOf, sessionJson} from './describe.ts';
import {passes, say} from './find.ts';

/** Lists sessions, the one used last first. */
export function list(
  {filter, include, limit, json}: Extract<SessionsCommand, {kind: 'list'}>,
  context: SessionsContext,
): number {
  const {store, stdout, stderr, now} = context;
  const listed = store.list(include === undefined ? {} : {include});
  if (!listed.ok) return say(listed.failure, stderr);
  const sessions = listed.value.filter(passes(filter, context)).slice(0, limit);
  if (json) {
    stdout.write(`${jsonText({v: 1, sessions: sessions.map(sessionJson)}, 2)}\n`);
    return 0;
  }
  if (sessions.length === 0) stderr('No sessions.\n');
  const rows = sessions.map((session) => cellsOf(session, now()));
  for (const line of laidOut(rows, stdout)) stdout.write(`${line}\n`);
  return 0;
}

interface Cells {
  readonly id: string;
  readonly age: string;
  readonly agent: string;
  readonly folder: string;
  readonly name: string;
}

function cellsOf(session: StoredSession, now: number): Cells {
  const state = session.status === 'closed' ? '' : `(${session.status}) `;
  return {
    id: session.id,
    age: age(now - session.updatedAt),
    agent: agentOf(session),
    folder: sanitizeLine(session.cwd),
    name: state + nameOf(session),
  };
}

const GAP = '  ';
const MOST_COLUMNS = {agent: 16, folder: 32} as const;
/** Narrower than this, who and where is left out. */
const NARROW = 80;

/** Columns side by side; what does not fit the terminal is cut, and nothing is where there is none. */
function laidOut(rows: readonly Cells[], {columns, look}: SessionsContext['stdout']): readonly string[] {
  const widest = (part: keyof Cells) => rows.reduce((most, row) => Math.max(most, width(row[part])), 0);
  const [ids, ages] = [widest('id'), widest('age')];
  const [agents, folders] = [
    Math.min(widest('agent'), MOST_COLUMNS.agent),
    Math.min(widest('folder'), MOST_COLUMNS.folder),
  ];
  return rows.map((row) => {
    const where =
      columns !== undefined && columns < NARROW
        ? []
        : [padded(row.agent, agents, 'end'), padded(row.folder, folders, 'start')];
    const line = [look.bold(row.id.padEnd(ids)), look.dim(row.age.padEnd(ages)), ...where, row.name].join(
      GAP,
    );
    return columns === undefined ? line : truncate(line, columns);
  });
}

function padded(text: string, columns: number, position: 'start' | 'end'): string {
  const cut = truncate(text, columns, {position});
  return cut + ' '.repeat(Math.max(0, columns - width(cut)));
}
