import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
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
  const labels = options.map((option) => (ofAgent ? labelOf(option) : option.name));
  return drawNumbered(labels, view, draw);
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
