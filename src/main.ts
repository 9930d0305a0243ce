import {fileURLToPath} from 'node:url';
import {parseArguments} from './cli/parse-arguments.ts';
import {watchCrashes} from './bootstrap/crash.ts';
import {tuneEngine} from './bootstrap/engine.ts';
import {createOutput, exitCodeAfter} from './cli/output.ts';
import type {Parsed} from './cli/parsed-arguments.ts';

/** The built-in demo agent, next to this file in dist/. Node would open its inspector on SIGUSR1 by default. */
const demoCommand = {
  command: process.execPath,
  args: ['--disable-sigusr1', fileURLToPath(new URL('./demo-agent.js', import.meta.url))],
};

const loadScreen = () => import('../components/start.tsx');

/** Prints a message, or runs print mode or a window; each loads only what it needs. Resolves to the exit code. */
async function run(parsed: Parsed): Promise<number> {
  if (parsed.kind === 'message') return say(parsed);
  const {environmentProblem} = await import('./bootstrap/environment.ts');
  const problem = environmentProblem(process.env);
  if (problem !== undefined) return say({kind: 'message', text: `acp-tui: ${problem}\n`, exitCode: 2});
  switch (parsed.kind) {
    case 'subcommand':
      return parsed.run({demoCommand});
    case 'print':
      return (await import('./bootstrap/one-shot.ts')).runOneShot(parsed.options, {demoCommand});
    case 'serve_recording':
      return (await import('./cli/recordings/serve-recording.ts')).serveRun(parsed.options);
    case 'inspect':
      return (await import('./cli/recordings/inspect-recording.ts')).inspectRun(parsed.options);
    case 'replay':
      return (await import('./bootstrap/window/replay.ts')).runReplay(parsed.options, loadScreen);
    case 'background':
      return (await import('./bootstrap/background.ts')).runInBackground(parsed.options);
    case 'mistyped':
      return (await isPrompt(parsed.text)) ? run(parsed.asPrompt) : 2;
    case 'attach':
      return (await import('./bootstrap/window/attach.ts')).runAttached(parsed.id, {demoCommand, loadScreen});
    case 'interactive': {
      // Input typed while the rest loads: in cooked mode the terminal would echo it, and turn Enter into a line feed.
      process.stdin.setRawMode(true);
      tuneEngine();
      const {runInteractive} = await import('./bootstrap/window/interactive.ts');
      return runInteractive(parsed.options, {demoCommand, loadScreen});
    }
  }
}

/** Asks whether what is probably meant for a subcommand is a prompt. */
async function isPrompt(text: string): Promise<boolean> {
  const {openSubcommandIo} = await import('./cli/terminal-io.ts');
  const {confirm, stderr} = openSubcommandIo();
  stderr(text);
  return (await confirm?.('Send it as a prompt now? [y/N] ')) ?? false;
}

/** What went well goes to standard output, the rest to standard error. */
function say({text, exitCode}: Extract<Parsed, {kind: 'message'}>): Promise<number> {
  const stdout = createOutput(process.stdout, 'standard output');
  const stderr = createOutput(process.stderr, 'standard error');
  (exitCode === 0 ? stdout : stderr).write(text);
  return exitCodeAfter({stdout, stderr}, exitCode);
}

watchCrashes();
const parsed = await parseArguments(process.argv.slice(2), {
  stdinIsTty: process.stdin.isTTY,
  stdoutIsTty: process.stdout.isTTY,
  columns: process.stdout.columns ?? 80,
});
process.exit(await run(parsed));
