import {expect, test} from 'vitest';
import type {Report} from '../../../../src/modes/doctor/report.ts';
import {createOutputStyle} from '../../../../src/cli/output-style.ts';
import {
  doctorJson,
  environmentLines,
  reportLines,
} from '../../../../src/modes/commands/doctor/doctor-report.ts';
import {width} from '../../../../src/text/width.ts';

const style = createOutputStyle({isTerminal: false});
const HOSTILE = 'x\u001b[2J\u001b]52;c;eA==\u0007\u202e\u009b1m y';

const report: Report = {
  v: 1,
  type: 'doctor',
  agent: {
    label: 'some-agent',
    command: 'some-agent',
    args: [],
    name: HOSTILE,
    title: null,
    version: '1.0',
    protocolVersion: 1,
    capabilities: null,
    authMethods: [],
  },
  checks: [
    {id: 'launch', name: 'starting', advertised: 'always', result: 'worked', ms: 12, note: 'some-agent'},
    {
      id: 'session/load',
      name: 'loading a session',
      advertised: 'yes',
      result: 'failed',
      ms: 1234,
      note: `no ${HOSTILE} `.repeat(20),
    },
    {
      id: 'session/list',
      name: 'listing sessions',
      advertised: 'no',
      result: 'not_tried',
      ms: null,
      note: null,
    },
    {id: 'session/prompt', name: 'a prompt', advertised: 'always', result: 'timeout', ms: 60_000, note: null},
  ],
  violations: [
    {
      text: HOSTILE,
      rule: 'clean-output',
      page: 'https://example.org/page',
      count: 3,
      message: HOSTILE.repeat(100),
    },
  ],
  corrected: [{text: 'missing-version', rule: null, page: null, count: 1, message: {method: HOSTILE}}],
  remarks: [],
  quirks: ['It is odd.'],
  interrupted: false,
  exitCode: 3,
  durationMs: 61_000,
};

test('a report is a table with the findings below it', () => {
  const text = reportLines(report, {columns: undefined, style}).join('\n');
  expect(text).toMatch(/^starting +always +yes +12 ms +some-agent$/m);
  expect(text).toMatch(/^loading a session +yes +NO +1\.2 s/m);
  expect(text).toMatch(/^listing sessions +no +–$/m);
  expect(text).toMatch(/^a prompt +always +NO ANSWER +1 min$/m);
  expect(text).toContain('(3 times)\n    https://example.org/page\n');
  expect(text).toContain('  - missing-version\n    {"method":');
  expect(text).toContain('  - It is odd.');
  expect(text).not.toContain('Allowed, but worth knowing');
  expect(text).toMatch(/--timeout waits longer\.$/);
});

test('a report contains no control characters of an agent', () => {
  const lines = [
    ...reportLines(report, {columns: 60, style}),
    ...environmentLines([{id: 'x', name: 'x', value: HOSTILE, ok: false}], {columns: 60, style}),
    ...doctorJson(report, undefined).split('\n'),
  ];
  // oxlint-disable-next-line no-control-regex
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([]);
});

test.each([80, 120])(
  'no line of a report is wider than a terminal of %i columns, except for URLs',
  (columns) => {
    const lines = reportLines(report, {columns, style}).filter((line) => !line.includes('https://'));
    expect(lines.filter((line) => width(line) > columns)).toEqual([]);
  },
);

test.each([
  [
    {exitCode: 0, violations: [], corrected: []},
    'Everything tested works, and nothing violates the protocol.',
  ],
  [{exitCode: 1}, 'The agent violates the protocol.'],
  [{exitCode: 1, violations: [], corrected: []}, 'Some of what the agent advertises or must support fails.'],
  [{exitCode: 6}, 'The agent requires a sign-in and offers no method here: use its own program.'],
  [
    {exitCode: 6, agent: {...report.agent, authMethods: ['key']}},
    'The agent requires a sign-in: --auth <method> works for methods of type "agent" or, with --env, "env_var".',
  ],
  [{exitCode: 130, interrupted: true}, 'Interrupted: results so far.'],
])('it ends with the conclusion: %j', (changed, expected) => {
  expect(reportLines({...report, ...changed}, {columns: 80, style}).at(-1)).toBe(expected);
});

test('an agent cannot flood the report', () => {
  const flood = 'flood '.repeat(100_000);
  const [violation] = report.violations;
  if (!violation) throw new Error('no violation');
  const lines = reportLines(
    {...report, agent: {...report.agent, name: flood}, violations: [{...violation, text: flood}]},
    {columns: 80, style},
  );
  expect(lines.length).toBeLessThan(80);
});
