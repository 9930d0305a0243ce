import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {escapeHiddenLine} from '../../src/text/hidden.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {windowAround} from '../draw/window.ts';

export interface OptionsView {
  readonly options: readonly acp.PermissionOption[];
  /** False for those of our own questions, whose names say all. */
  readonly ofAgent: boolean;
  readonly selected: number;
  readonly isFocused: boolean;
  readonly rows: number;
}

const kindWords: Readonly<Record<acp.PermissionOptionKind, string>> = {
  allow_once: 'allow once',
  allow_always: 'allow always',
  reject_once: 'reject once',
  reject_always: 'reject always',
};

/** The answers, in the agent's order; what each does is told by words, since names are the agent's own. */
export function drawOptions({options, ofAgent, ...view}: OptionsView, draw: Draw): string[] {
  return drawNumbered(labelsOf({options, ofAgent}), view, draw);
}

/** The answers in full, where a row is too narrow for one of them: two must not look the same because they are cut off. */
export function drawCutOptions(
  given: Pick<OptionsView, 'options' | 'ofAgent'>,
  {columns, paint}: Draw,
): string[] {
  const labels = labelsOf(given).map((label, index) => `${index + 1}. ${label}`);
  // Behind the mark of the selected one.
  if (labels.every((label) => width(label) + 2 <= columns)) return [];
  return [paint.dim('The answers in full:'), ...labels.flatMap((label) => wrap(label, columns))];
}

/** What each answer is called; those that would be called the same are told apart by what the agent calls them itself. */
function labelsOf({options, ofAgent}: Pick<OptionsView, 'options' | 'ofAgent'>): readonly string[] {
  if (!ofAgent) return options.map(({name}) => name);
  const names = options.map(labelOf);
  const isOnly = (name: string) => names.filter((other) => looks(other) === looks(name)).length === 1;
  return options.map((option, index) => {
    const name = names[index] ?? '';
    if (isOnly(name)) return name;
    return `${escapeHiddenLine(option.name)} (${kindWords[option.kind] ?? option.kind}, answer ${index + 1}, "${escapeHiddenLine(option.optionId)}")`;
  });
}

/** How a name looks to somebody who does not look closely. */
function looks(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** What can be chosen by its number; those around the selected one, where there is no room for all. */
export function drawNumbered(
  labels: readonly string[],
  {selected, isFocused, rows}: Pick<OptionsView, 'selected' | 'isFocused' | 'rows'>,
  {paint, signs, columns}: Draw,
): string[] {
  const {from, to} = windowAround(selected, labels.length, rows);
  return labels.slice(from, to).map((label, index) => {
    const isSelected = from + index === selected;
    const mark = isSelected ? signs.selected : ' ';
    const line = truncate(`${mark} ${from + index + 1}. ${label}`, columns);
    return isSelected && isFocused ? paint.selected(line) : line;
  });
}

function labelOf({name, kind}: acp.PermissionOption): string {
  const label = sanitizeLine(name);
  const words = kindWords[kind] ?? kind;
  return label.toLowerCase() === words ? label : `${label} (${words})`;
}
