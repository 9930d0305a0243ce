import {realpathSync} from 'node:fs';
import {createTempDir} from '../../../shared/files/folders.ts';
import {passiveOptions} from '../../../cli/options.ts';
import type {DoctorOptions} from './doctor-arguments.ts';
import {
  exitCodeIfUnwritable,
  exitCodeOfFailure,
  signalCode,
  type EndingSignal,
} from '../../../cli/exit-codes.ts';
import {ENDING_SIGNALS} from '../../../shared/processes/before-signal.ts';
import {checkEnvironment} from '../../doctor/installation.ts';
import {examine} from '../../doctor/examine.ts';
import {createReport, type Report} from '../../doctor/report.ts';
import {silentSandbox} from '../../../sandbox/session-sandbox.ts';
import {createMaskDeep} from '../../../shared/mask.ts';
import {quietConsole} from '../../../protocol/quiet-console.ts';
import type {AgentStarts} from '../../../agents/launch.ts';
import {setUpRun} from '../../start/run-setup.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import {doctorJson, environmentLines, reportLines} from './doctor-report.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';

/** Runs `acp-tui doctor` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function doctorRun(options: DoctorOptions, starts: AgentStarts): Promise<number> {
  const io = openSubcommandIo();
  // Agents store sessions under the real path of the folder.
  const cwd = options.cwd ?? realpathSync.native(createTempDir('acp-tui-doctor-'));
  const exitCode = await inFolder(cwd, options, {io, ...starts});
  return io.end(exitCode);
}

interface Surroundings extends AgentStarts {
  readonly io: SubcommandIo;
}

async function inFolder(
  cwd: string,
  given: DoctorOptions,
  {io, demoCommand, startAgent}: Surroundings,
): Promise<number> {
  const {agent: named, env, authMethod, protocol, record} = given;
  const setup = await setUpRun(passiveOptions({agent: named, env, authMethod, protocol, record, cwd}), {
    hasUser: false,
    demoCommand,
  });
  quietConsole(setup.log.write);
  const {options, recorder, settings} = setup;
  if (!options.ok) {
    const {failure} = options;
    setup.close();
    if (failure.kind === 'no_agent' && !given.json)
      printLines(environmentLines(await checkEnvironment(), io.stdout), io);
    return printFailure(io.stderr, failure, exitCodeOfFailure(failure));
  }
  const {agent, version} = options.value;
  const sandbox = silentSandbox(options.value, (text) => io.stderr(`acp-tui: ${text}\n`));
  const interruption = interruptible(io);
  const examined = await examine({
    agent,
    cwd: options.value.cwd,
    version,
    sandbox: sandbox?.open,
    startAgent,
    timeoutMs: given.timeoutSeconds * 1000,
    authMethod: given.authMethod,
    protocolVersion: agent.protocolVersion,
    mayPrompt: () => mayPrompt(given, agent.label, io),
    onProgress: (what) => io.stderr(`acp-tui: ${what} …\n`),
    onWire: recorder?.record,
    signal: interruption.signal,
  });
  await sandbox?.close();
  setup.close();
  const maskDeep = createMaskDeep({...process.env, ...settings.agents?.[agent.label]?.env, ...agent.env});
  const report = maskDeep(createReport({agent}, examined, {signalCode: interruption.code()}));
  await print(report, given, io);
  const exitCode = interruption.code() ?? report.exitCode;
  const notRecorded = recorder?.failure();
  return notRecorded ? printFailure(io.stderr, notRecorded, exitCodeIfUnwritable(exitCode)) : exitCode;
}

async function print(report: Report, {agent, json}: DoctorOptions, io: SubcommandIo): Promise<void> {
  const {stdout} = io;
  const installation = agent === undefined ? await checkEnvironment() : undefined;
  if (json) return stdout.write(doctorJson(report, installation));
  const lines = [
    ...(installation ? environmentLines(installation, stdout) : []),
    ...reportLines(report, stdout),
  ];
  printLines(lines, io);
}

function printLines(lines: readonly string[], {stdout}: SubcommandIo): void {
  stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function mayPrompt({prompt}: DoctorOptions, label: string, {confirm}: SubcommandIo): Promise<boolean> {
  if (prompt !== undefined || !confirm) return Promise.resolve(prompt ?? false);
  return confirm(`Send up to three short prompts to ${sanitizeLine(label)}? They may incur costs. [y/N] `);
}

/** Ends the examination on a signal, or when the output is closed; a second signal exits immediately. */
function interruptible({stderr, onClosed}: SubcommandIo) {
  const controller = new AbortController();
  let code: number | undefined;
  function end(signal: EndingSignal): void {
    if (code !== undefined) process.exit(code);
    code = signalCode(signal);
    if (signal === 'SIGINT') stderr('acp-tui: Stopping; press Ctrl+C again to quit now.\n');
    controller.abort(new Error(`killed by ${signal}`));
  }
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  onClosed(() => controller.abort(new Error('output closed')));
  return {signal: controller.signal, code: () => code};
}
