// Examines every installed agent of the lab and the demo agent with the built program, and writes the findings into docs/internals/tested-agents.md,
// docs/internals/doctor-reports.md and README.md, between their markers: node test/live/lab/examine.ts
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {format, resolveConfig} from 'prettier';
import type {Report} from '../../../src/modes/doctor/report.ts';
import {ALL_AGENT_NAMES, ALL_AGENTS} from './agents.ts';
import {isInstalled} from './folder.ts';
import {overview, readmeTable, wholeReports, type Examined} from './tables.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = path.join(root, 'test/live/lab/agent.ts');
const program = path.join(root, 'bin/acp-tui.js');

const examined: Examined[] = [await examine('demo', {start: 'demo', fallback: 'demo'})];
for (const name of ALL_AGENT_NAMES) {
  if (!isInstalled(name)) {
    console.log(`${name}: not installed, left out`);
    continue;
  }
  const {command, package: from, version} = ALL_AGENTS[name];
  // The model belongs to the lab.
  const start = command.join(' ').replace(/ -m \S+/, '');
  const line = (home: string) => [process.execPath, script, name, home].map((word) => `'${word}'`).join(' ');
  examined.push(await examine(line, {start, fallback: `${from} ${version}`}));
}
const today = new Date().toISOString().slice(0, 10);
const heading = `Examined on ${today} with \`node test/live/lab/examine.ts\`, on ${process.platform} with Node ${process.versions.node}.`;
await rewrite('docs/internals/tested-agents.md', [heading, overview(examined)].join('\n\n'));
await rewrite('docs/internals/doctor-reports.md', wholeReports(examined));
await rewrite('README.md', readmeTable(examined));

/** The report of one agent with its own home, named by how a user would start it. */
async function examine(
  agent: 'demo' | ((home: string) => string),
  known: Pick<Examined, 'start' | 'fallback'>,
): Promise<Examined> {
  const {start} = known;
  console.log(start);
  const home = mkdtempSync(path.join(tmpdir(), 'lab-'));
  const line = agent === 'demo' ? agent : agent(home);
  const {stdout} = await execa(process.execPath, [program, 'doctor', line, '--prompt', '--json'], {
    cwd: home,
    env: {XDG_STATE_HOME: home, ACP_TUI_STATE_DIR: home, ACP_TUI_CONFIG_DIR: home},
    reject: false,
    stderr: 'ignore',
  });
  rmSync(home, {recursive: true, force: true, maxRetries: 3});
  const reported = stdout
    .replaceAll(home, '/home/user')
    .replaceAll(/\/tmp\/acp-tui-doctor-\w+/g, '/home/user/project')
    .replaceAll(root, '/opt/acp-tui/');
  const report = JSON.parse(reported) as Report;
  const checks = report.checks.map((check) =>
    check.id === 'launch' ? Object.assign(check, {note: start}) : check,
  );
  return {...known, report: {...report, agent: {...report.agent, label: start}, checks}};
}

async function rewrite(file: string, text: string): Promise<void> {
  const target = path.join(root, file);
  const before = readFileSync(target, 'utf8');
  const part = /(<!-- doctor:begin[^>]*-->\n)[^]*?(\n<!-- doctor:end -->)/;
  if (!part.test(before)) throw new Error(`${file} has no marks for what the doctor found`);
  const after = before.replace(part, (_, begin: string, end: string) => `${begin}\n${text}\n${end}`);
  const options = await resolveConfig(target);
  writeFileSync(target, await format(after, {...options, filepath: target}));
}
