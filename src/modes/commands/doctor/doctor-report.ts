import type {Check} from '../../doctor/examination.ts';
import type {EnvironmentCheck} from '../../doctor/installation.ts';
import type {Problem, Report, ReportedCheck} from '../../doctor/report.ts';
import {quoteAgentText} from '../../../shared/agent-text.ts';
import {duration} from '../../../text/format.ts';
import {jsonText} from '../../../text/json.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {truncate} from '../../../text/truncate.ts';
import {width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import type {OutputStyle} from '../../../cli/output-style.ts';
import {maxOf} from '../../../text/lists.ts';

interface Layout {
  /** The width of the terminal; undefined if there is none, so that nothing is wrapped. */
  readonly columns: number | undefined;
  readonly style: OutputStyle;
}

const ADVERTISED: Readonly<Record<Check['advertised'], string>> = {
  yes: 'yes',
  no: 'no',
  always: 'always',
  unspecified: '–',
};
const WORKS: Readonly<Record<Check['result'], string>> = {
  worked: 'yes',
  failed: 'NO',
  timeout: 'NO ANSWER',
  not_tried: '–',
};
/** Messages are cut here; the JSON has them in full. */
const MESSAGE_COLUMNS = 300;

/** Formats the report as lines for the terminal; text of the agent is sanitized. */
export function reportLines(report: Report, layout: Layout): readonly string[] {
  const {violations, corrected, remarks, quirks, interrupted} = report;
  const problems = [
    ['Protocol violations', violations],
    ['Corrected by acp-tui when reading', corrected],
    ['Allowed, but worth knowing', remarks],
  ] as const;
  return [
    ...wrapped(headline(report), layout.columns).map((line) => layout.style.bold(line)),
    '',
    ...matrix(report.checks, layout),
    ...problems.flatMap(([title, found]) =>
      section(
        title,
        found.flatMap((problem) => problemLines(problem, layout)),
        layout,
      ),
    ),
    ...section(
      'Known quirks of this agent',
      quirks.flatMap((text) => item(text, layout)),
      layout,
    ),
    '',
    interrupted ? 'Interrupted: results so far.' : conclusion(report),
  ];
}

/** Formats the report about this installation as lines for the terminal. */
export function environmentLines(
  all: readonly EnvironmentCheck[],
  {columns, style}: Layout,
): readonly string[] {
  const names = maxOf(all.map(({name}) => name.length));
  const rows = all.flatMap(({name, value, ok}) => {
    const text = `${ok ? '' : 'PROBLEM: '}${sanitizeLine(value)}`;
    return hanging(`  ${name.padEnd(names)}  `, text, columns);
  });
  return [style.bold('This installation'), '', ...rows, ''];
}

function headline({agent, durationMs}: Report): string {
  const {label, name, title, version, protocolVersion} = agent;
  const who = title ?? name;
  const subject =
    who === null ? label : `${quoteAgentText(who, 100)} ${quoteAgentText(version ?? '', 100)} (${label})`;
  const speaks = protocolVersion === null ? '' : `, protocol version ${protocolVersion}`;
  return sanitizeLine(`${subject}${speaks}, tested in ${duration(durationMs)}`);
}

function conclusion({agent, exitCode, violations, corrected}: Report): string {
  if (exitCode === 0) return 'Everything tested works, and nothing violates the protocol.';
  if (exitCode === 3) return 'The agent did not answer in time; --timeout waits longer.';
  if (exitCode === 6)
    return agent.authMethods.length > 0
      ? 'The agent requires a sign-in: --auth <method> works for methods of type "agent" or, with --env, "env_var".'
      : 'The agent requires a sign-in and offers no method here: use its own program.';
  return violations.length + corrected.length > 0
    ? 'The agent violates the protocol.'
    : 'Some of what the agent advertises or must support fails.';
}

function matrix(checks: readonly ReportedCheck[], {columns, style}: Layout): readonly string[] {
  const rows = checks.map(({name, advertised, result, ms, note}) => ({
    cells: [name, ADVERTISED[advertised], WORKS[result], ms === null ? '' : duration(ms)],
    note: sanitizeLine(note ?? ''),
  }));
  const head = ['', 'advertised', 'works', 'time'];
  const widths = head.map((title, at) =>
    maxOf(
      rows.map(({cells}) => width(cells[at] ?? '')),
      title.length,
    ),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - width(cell))).join('  ');
  return [
    style.dim(line(head).trimEnd()),
    ...rows.flatMap(({cells, note}) => hanging(`${line(cells)}  `, note, columns)),
  ];
}

function section(title: string, lines: readonly string[], {style}: Layout): readonly string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), '', ...lines];
}

function problemLines({text, page, count, message}: Problem, {columns, style}: Layout): readonly string[] {
  const times = count > 1 ? ` (${count} times)` : '';
  const shown = typeof message === 'string' ? message : JSON.stringify(message);
  return [
    ...item(quoteAgentText(text, 1000) + times, {columns}),
    ...(page === null ? [] : [style.dim(`    ${page}`)]),
    ...hanging('    ', truncate(sanitizeLine(shown), MESSAGE_COLUMNS), columns).map((line) =>
      style.dim(line),
    ),
  ];
}

function item(text: string, {columns}: Pick<Layout, 'columns'>): readonly string[] {
  return hanging('  - ', sanitizeLine(text), columns);
}

/** Formats a text after a prefix, with a hanging indent. */
function hanging(before: string, text: string, columns: number | undefined): readonly string[] {
  const indent = width(before);
  // A column of a few characters is harder to read than lines wrapped by the terminal.
  const [first = '', ...rest] =
    columns === undefined || columns < indent + 24 ? [text] : wrap(text, columns - indent);
  return [`${before}${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(indent) + line)];
}

function wrapped(text: string, columns: number | undefined): readonly string[] {
  return columns === undefined ? [text] : wrap(text, columns);
}

/** The report as printed by `--json`, see docs/scripts.md. `installation` is null if an agent was given. */
export function doctorJson(report: Report, installation: readonly EnvironmentCheck[] | undefined): string {
  return `${jsonText({...report, installation: installation ?? null}, 2)}\n`;
}
