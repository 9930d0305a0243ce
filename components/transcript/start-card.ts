import type {StartCard} from '../../src/app/status/start-card.ts';
import {version} from '../../src/shared/version.ts';
import {ago} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest, width} from '../../src/text/width.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow} from '../layout/lines.ts';

/** Returns the rows of version, agent, folder, recent sessions and hints. */
export function rowsOfStartCard(card: StartCard, theme: Theme): readonly string[] {
  return [
    ...rowsOfNames(card, theme),
    ...rowsOfPlace(card, theme),
    ...rowsOfRecent(card, theme),
    '',
    ...rowsOfHints(card, theme),
  ];
}

/** Returns the row above the list of the first start, and the prompt of the command line, which is sent to the agent that is selected. */
export function rowsOfFirstStart(
  {folder, branch, prompt}: Pick<StartCard, 'folder' | 'branch'> & {readonly prompt: string | undefined},
  theme: Theme,
): readonly string[] {
  const {paint, columns} = theme;
  const [own = ''] = rowsOfNames({agent: undefined}, theme);
  const start = `  ${own} ${paint.dim('·')} `;
  const [place = ''] = rowsOfPlace({folder, branch}, narrow(theme, width(start)));
  const then =
    prompt === undefined ? [] : [truncate(`  ${paint.dim('Then:')} ${sanitizeLine(prompt)}`, columns)];
  return [truncate(start + place, columns), ...then];
}

function rowsOfNames({agent}: Pick<StartCard, 'agent'>, {paint, columns}: Theme): string[] {
  const own = `${paint.bold(paint.accent('acp-tui'))} ${paint.dim(version)}`;
  if (agent === undefined) return [own];
  const name = paint.agent(agent.name, sanitizeLine(agent.name));
  const versioned = agent.version === undefined ? name : `${name} ${paint.dim(sanitizeLine(agent.version))}`;
  return [truncate(`${own} ${paint.dim('·')} ${versioned}`, columns)];
}

function rowsOfPlace(
  {folder, branch}: Pick<StartCard, 'folder' | 'branch'>,
  {paint, columns}: Theme,
): string[] {
  const where = branch === undefined ? '' : ` · ${sanitizeLine(branch)}`;
  const room = Math.max(1, columns - width(where));
  return [paint.dim(truncate(truncate(sanitizeLine(folder), room, {position: 'start'}) + where, columns))];
}

function rowsOfHints({hints}: StartCard, {paint, columns}: Theme): string[] {
  const column = widest(hints.map(([command]) => command)) + GAP;
  return hints.map(([command, does]) =>
    truncate(padded(paint.accent(command), column) + paint.dim(does), columns),
  );
}

function rowsOfRecent({recent}: StartCard, theme: Theme): string[] {
  if (recent.length === 0) return [];
  const {paint} = theme;
  const {columns} = narrow(theme);
  const details = recent.map(({age, agent}) =>
    columns < COLUMNS_FOR_AGENT ? ago(age) : `${ago(age)} · ${sanitizeLine(agent)}`,
  );
  const room = Math.max(Math.floor(columns / 2), columns - widest(details) - GAP);
  const names = recent.map(({name}) => truncate(sanitizeLine(name), room));
  const column = widest(names) + GAP;
  const rows = names.map((name, index) =>
    truncate(padded(name, column) + paint.dim(details[index] ?? ''), columns),
  );
  return ['', paint.bold('Recent sessions'), ...indent(rows)];
}

/** Columns between a name and its description. */
const GAP = 3;
/** On narrower screens the agents of sessions are left out. */
const COLUMNS_FOR_AGENT = 50;
