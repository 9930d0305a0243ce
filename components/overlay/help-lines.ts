import type {HelpSection} from '../../src/app/help-page.ts';
import {wrap} from '../../src/text/wrap.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {indent} from '../draw/lines.ts';
import {drawRule} from '../draw/rule.ts';

/** Narrower than this, what a key does stands below it. */
const COLUMNS_SIDE_BY_SIDE = 50;

/** Keys on the left, what they do on the right. */
export function drawHelp(sections: readonly HelpSection[], draw: Draw): string[] {
  const keys = Math.min(
    Math.floor(draw.columns / 3),
    Math.max(...sections.flatMap(({rows}) => rows.map((row) => width(row.keys)))),
  );
  return sections.flatMap(({title, rows}, index) => [
    ...(index === 0 ? [] : ['']),
    draw.paint.bold(title),
    ...rows.flatMap((row) => drawHelpRow(row, keys, draw)),
  ]);
}

/** The keys that may follow, in a frame. */
export function drawMoreKeys({title, rows}: HelpSection, draw: Draw): string[] {
  const keys = Math.max(...rows.map((row) => width(row.keys)));
  return [
    drawRule(title, draw.paint.accent, draw),
    ...rows.flatMap((row) => drawHelpRow(row, keys, draw)),
    drawRule('Any other key closes', draw.paint.dim, draw),
  ];
}

/** A key and what it does, in columns where there is room. */
export function drawHelpRow(row: HelpSection['rows'][number], keys: number, draw: Draw): string[] {
  const {paint, columns} = draw;
  if (columns < COLUMNS_SIDE_BY_SIDE || width(row.keys) > keys)
    return [
      ...indent(wrap(row.keys, columns - 2)).map((line) => paint.accent(line)),
      ...indent(wrap(row.does, columns - 4), 4),
    ];
  const [first = '', ...rest] = wrap(row.does, columns - keys - 4);
  const padding = ' '.repeat(keys - width(row.keys));
  return [`  ${paint.accent(row.keys)}${padding}  ${first}`, ...indent(rest, keys + 4)];
}
