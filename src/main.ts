import {fileURLToPath} from 'node:url';
import {parseArguments} from './cli/parse-arguments.ts';

/** Decides between a message, a run without a screen and a window; each loads only what it needs. */
const parsed = await parseArguments(process.argv.slice(2), {
  stdinIsTty: process.stdin.isTTY,
  stdoutIsTty: process.stdout.isTTY,
  columns: process.stdout.columns ?? 80,
});
/** The embedded demo agent, beside this file in dist/. */
const demoCommand = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./demo-agent.js', import.meta.url))],
};

const loadScreen = () => import('../components/start.tsx');

if (parsed.kind === 'message') {
  (parsed.exitCode === 0 ? process.stdout : process.stderr).write(parsed.text);
  process.exitCode = parsed.exitCode;
} else if (parsed.kind === 'sessions') {
  const {sessionsRun} = await import('./sessions-run.ts');
  process.exit(await sessionsRun(parsed.command));
} else if (parsed.kind === 'agents') {
  const {agentsRun} = await import('./agents-run.ts');
  process.exit(await agentsRun(parsed.command));
} else if (parsed.kind === 'config') {
  const {configRun} = await import('./config-run.ts');
  process.exit(await configRun(parsed.command));
} else if (parsed.kind === 'completion') {
  const {completionRun} = await import('./completion-run.ts');
  process.exit(await completionRun(parsed.command));
} else if (parsed.kind === 'print') {
  const {printRun} = await import('./print-run.ts');
  process.exit(await printRun(parsed.options, demoCommand));
} else if (parsed.kind === 'doctor') {
  const {doctorRun} = await import('./doctor-run.ts');
  process.exit(await doctorRun(parsed.command, demoCommand));
} else if (parsed.kind === 'serve') {
  const {serveRun} = await import('./serve-run.ts');
  process.exit(await serveRun(parsed.options));
} else if (parsed.kind === 'inspect') {
  const {inspectRun} = await import('./inspect-run.ts');
  process.exit(await inspectRun(parsed.options));
} else if (parsed.kind === 'replay') {
  const {replayRun} = await import('./replay-run.ts');
  process.exit(await replayRun(parsed.options, loadScreen));
} else {
  // What is typed while the rest loads: a terminal that edits lines would echo it, and make a line feed of Enter.
  process.stdin.setRawMode(true);
  const {interactiveRun} = await import('./interactive-run.ts');
  process.exit(await interactiveRun(parsed.options, {demoCommand, loadScreen}));
}
