import type {ToolCallEntry} from '../../src/session/entries.ts';
import {commandLabel, isStringList} from '../../src/session/labels/command-label.ts';
import {distinctInputFacts, extraInputFacts, type InputFact} from '../../src/session/labels/input-facts.ts';
import {withoutDetails} from '../../src/session/requests/run-input.ts';
import {pluralize} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {isJsonObject} from '../../src/text/json.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {markEscapes, rowsOfExact} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow} from '../layout/lines.ts';
import {rowsOfCommandLine} from './terminal-output.ts';

/** Returns the rows of the input of a tool call in full. */
export function rowsOfInput(entry: ToolCallEntry, theme: Theme): string[] {
  return distinctInputFacts(entry, theme.cwd).flatMap((fact) => rowsOfFact(fact, theme));
}

/** Returns the rows of the input without what nobody decides by, which is named in one line. */
export function rowsOfInputToDecide(entry: ToolCallEntry, theme: Theme): string[] {
  const {rawInput, names, variables} = withoutDetails(entry);
  const drawn = new Set(distinctInputFacts(entry, theme.cwd).map(([name]) => name));
  const others = variables === 0 ? [] : [pluralize(variables, 'variable')];
  const folded = [...others, ...names.filter((name) => drawn.has(name))].join(', ');
  const more = `+ ${folded} · ${theme.keyOf('view_request')} view`;
  return [
    ...rowsOfInput({...entry, rawInput}, theme),
    ...(folded === '' ? [] : rowsOfExact(more, theme).map((line) => theme.paint.dim(line))),
  ];
}

/** Returns the rows of the input in a card: the command, or in one line what no other part of the call shows. */
export function rowsOfFoldedInput(entry: ToolCallEntry, theme: Theme): string[] {
  const command = commandLabel(entry, theme.terminals);
  if (command !== undefined) return rowsOfCommandLine(command, theme);
  const facts = extraInputFacts(entry);
  if (facts.length === 0) return [];
  const values = Object(entry.rawInput) as Readonly<Record<string, unknown>>;
  const line = facts.map(
    ([name, value]) => `${onOneLine(name)}: ${onOneLine(inOneLine(values[name]) ?? value)}`,
  );
  return [theme.paint.dim(markEscapes(truncate(line.join(' · '), theme.columns), theme))];
}

/** Returns what fits into one line of a value that is JSON: the number of items, or the fields. */
function inOneLine(value: unknown): string | undefined {
  if (isStringList(value)) return undefined;
  if (Array.isArray(value)) return pluralize(value.length, 'item');
  return isJsonObject(value) ? JSON.stringify(value) : undefined;
}

function rowsOfFact([name, value]: InputFact, theme: Theme): string[] {
  const {paint, columns} = theme;
  if (name === 'command') return rowsOfExact(`$ ${value}`, theme).map((line) => paint.bold(line));
  const label = onOneLine(name);
  const fits = !/[\n\t]/.test(value) && width(label) + width(value) + 2 <= columns;
  if (fits) return [`${paint.dim(`${markEscapes(label, theme)}:`)} ${markEscapes(value, theme)}`];
  return [
    ...rowsOfExact(`${label}:`, theme).map((line) => paint.dim(line)),
    ...indent(rowsOfExact(value, narrow(theme))),
  ];
}
