import type {Report, ReportedCheck} from '../../../src/modes/doctor/report.ts';
import {createOutputStyle} from '../../../src/cli/output-style.ts';
import {reportLines} from '../../../src/modes/commands/doctor/doctor-report.ts';
import {duration} from '../../../src/text/format.ts';

/** The doctor's findings, and how a user would start the agent. */
export interface Examined {
  readonly start: string;
  /** Its name if it does not report one. */
  readonly fallback: string;
  readonly report: Report;
}

/** Each check by agent: how long it took if it passed. */
export function overview(examined: readonly Examined[]): string {
  // Some checks appear only with a finding: they are placed as in the longest list.
  const longestFirst = examined.toSorted((a, b) => b.report.checks.length - a.report.checks.length);
  const ids = new Map(
    longestFirst.flatMap(({report}) => report.checks.map(({id, name}) => [id, name] as const)),
  );
  ids.delete('launch');
  const row = (id: string, name: string) =>
    [name].concat(examined.map(({report}) => cell(checkOf(report, id))));
  const rows = [...ids].map(([id, name]) => row(id, name));
  const problems = (of: (report: Report) => number) => examined.map(({report}) => String(of(report)));
  return [
    table([
      ['', ...examined.map(nameOf)],
      ...rows,
      ['against the protocol', ...problems(({violations}) => violations.length)],
      ['corrected', ...problems(({corrected}) => corrected.length)],
      ['exit code of the doctor', ...problems(({exitCode}) => exitCode)],
    ]),
    '`–`: not offered. `·`: offered and not tried, since it takes content, servers, a sign-in or a session.',
  ].join('\n\n');
}

/** The output of the doctor for each agent. */
export function wholeReports(examined: readonly Examined[]): string {
  const style = createOutputStyle({isTerminal: false});
  return examined
    .map((one) => {
      const lines = reportLines(one.report, {columns: 120, style});
      return `### ${nameOf(one)}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``;
    })
    .join('\n\n');
}

/** What works with each agent, in short. */
export function readmeTable(examined: readonly Examined[]): string {
  const columns = [
    ['prompt', 'session/prompt'],
    ['cancel', 'session/cancel'],
    ['modes', 'session/set_mode'],
    ['options', 'session/set_config_option'],
    ['list', 'session/list'],
    ['load', 'session/load'],
    ['resume', 'session/resume'],
    ['fork', 'session/fork'],
    ['delete', 'session/delete'],
  ] as const;
  return table([
    ['agent', 'start it with', ...columns.map(([title]) => title)],
    ...examined.map((one) => [
      nameOf(one),
      `\`${one.start}\``,
      ...columns.map(([, id]) => worded(checkOf(one.report, id), one.report)),
    ]),
  ]);
}

function nameOf({report, fallback}: Examined): string {
  const {title, name, version} = report.agent;
  const reported = title ?? name;
  return reported === null ? fallback : `${reported} ${version?.split(' ')[0] ?? ''}`.trim();
}

function checkOf({checks}: Report, id: string): ReportedCheck | undefined {
  return checks.find((check) => check.id === id);
}

function cell(check: ReportedCheck | undefined): string {
  if (!check) return '–';
  const {result, ms, advertised} = check;
  if (result === 'worked') return ms === null ? 'yes' : duration(ms);
  if (result === 'not_tried') return advertised === 'no' ? '–' : '·';
  return result === 'failed' ? '**no**' : '**no answer**';
}

function worded(check: ReportedCheck | undefined, {exitCode}: Report): string {
  if (check?.result === 'worked') return 'yes';
  if (check?.result === 'failed' || check?.result === 'timeout') return '**no**';
  if (check?.advertised === 'no') return '–';
  return exitCode === 6 ? 'sign in' : '·';
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
