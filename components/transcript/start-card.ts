import type {StartCard} from '../../src/app/status/start-card.ts';
import {version} from '../../src/shared/version.ts';
import {ago} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {DrawContext} from '../draw/draw.ts';
import {drawBesideMargin, indent, narrow} from '../draw/lines.ts';

/** Draws version, agent, folder, recent sessions and hints. */
export function drawStartCard(card: StartCard, draw: DrawContext): readonly string[] {
  return drawBesideMargin(draw, (inner) => [
    ...drawNames(card, inner),
    ...drawPlace(card, inner),
    ...drawRecent(card, inner),
    '',
    ...drawHints(card, inner),
  ]);
}

function drawNames({agent}: StartCard, {paint, symbols, columns}: DrawContext): string[] {
  const own = `${paint.bold(paint.accent('acp-tui'))} ${paint.dim(version)}`;
  if (agent === undefined) return [own];
  const name = paint.agent(agent.name, sanitizeLine(agent.name));
  const versioned = agent.version === undefined ? name : `${name} ${paint.dim(sanitizeLine(agent.version))}`;
  return [truncate(`${own} ${paint.dim(symbols.dot)} ${versioned}`, columns)];
}

function drawPlace({folder, branch}: StartCard, {paint, symbols, columns}: DrawContext): string[] {
  const where = branch === undefined ? '' : ` ${symbols.dot} ${sanitizeLine(branch)}`;
  const room = Math.max(1, columns - width(where));
  return [paint.dim(truncate(truncate(sanitizeLine(folder), room, {position: 'start'}) + where, columns))];
}

function drawHints({hints}: StartCard, {paint, columns}: DrawContext): string[] {
  const column = Math.max(...hints.map(([command]) => width(command))) + GAP;
  return hints.map(([command, does]) => {
    const padding = ' '.repeat(column - width(command));
    return truncate(`${paint.accent(command)}${padding}${paint.dim(does)}`, columns);
  });
}

function drawRecent({recent}: StartCard, draw: DrawContext): string[] {
  if (recent.length === 0) return [];
  const {paint, symbols} = draw;
  const {columns} = narrow(draw);
  const details = recent.map(({age, agent}) =>
    columns < COLUMNS_FOR_AGENT ? ago(age) : `${ago(age)} ${symbols.dot} ${sanitizeLine(agent)}`,
  );
  const room = Math.max(Math.floor(columns / 2), columns - Math.max(...details.map(width)) - GAP);
  const names = recent.map(({name}) => truncate(sanitizeLine(name), room));
  const column = Math.max(...names.map(width)) + GAP;
  const rows = names.map((name, index) => {
    const padding = ' '.repeat(column - width(name));
    return truncate(`${name}${padding}${paint.dim(details[index] ?? '')}`, columns);
  });
  return ['', paint.bold('Recent sessions'), ...indent(rows)];
}

/** Columns between a name and its description. */
const GAP = 3;
/** On narrower screens the agents of sessions are left out. */
const COLUMNS_FOR_AGENT = 50;
