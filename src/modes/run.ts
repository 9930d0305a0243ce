import {takeTerminal} from '../cli/raw-mode.ts';
import {createOutput, exitCodeAfter} from '../cli/output.ts';
import type {ParsedArguments} from '../cli/parsed-arguments.ts';
import {limitHeap, tuneEngine} from './start/engine.ts';
import type {InteractiveEnvironment} from './window/interactive.ts';

/** Prints a message, or runs print mode, a window or a subcommand; each loads only what it needs. Resolves to the exit code. */
export async function run(parsed: ParsedArguments, environment: InteractiveEnvironment): Promise<number> {
  if (parsed.kind === 'message') return say(parsed);
  const {environmentProblem} = await import('./start/environment.ts');
  const problem = environmentProblem(process.env);
  if (problem !== undefined) return say({kind: 'message', text: `acp-tui: ${problem}\n`, exitCode: 2});
  switch (parsed.kind) {
    case 'subcommand':
      return parsed.run(environment);
    case 'print':
      return (await import('./print/print-mode.ts')).runPrintMode(parsed.options, environment);
    case 'serve_recording':
      return (await import('./commands/recordings/serve-recording.ts')).serveRun(parsed.options);
    case 'inspect':
      return (await import('./commands/recordings/inspect-recording.ts')).inspectRun(parsed.options);
    case 'replay':
      return (await import('./window/replay.ts')).runReplay(parsed.options, environment.loadScreen);
    case 'background':
      return (await import('./background.ts')).runInBackground(parsed.options);
    case 'mistyped':
      return (await isPrompt(parsed.text)) ? run(parsed.asPrompt, environment) : 2;
    case 'attach':
      return (await import('./window/attach.ts')).runAttached(parsed.id, environment);
    case 'interactive': {
      // Input typed while the rest loads: in cooked mode the terminal would echo it, and turn Enter into a line feed.
      takeTerminal();
      tuneEngine();
      limitHeap();
      const {runInteractive} = await import('./window/interactive.ts');
      return runInteractive(parsed.options, environment);
    }
  }
}

/** Asks whether what is probably meant for a subcommand is a prompt. */
async function isPrompt(text: string): Promise<boolean> {
  const {openSubcommandIo} = await import('../cli/terminal-io.ts');
  const {confirm, stderr} = openSubcommandIo();
  stderr(text);
  return (await confirm?.('Send it as a prompt now? [y/N] ')) ?? false;
}

/** What went well goes to standard output, the rest to standard error. */
function say({text, exitCode}: Extract<ParsedArguments, {kind: 'message'}>): Promise<number> {
  const stdout = createOutput(process.stdout, 'standard output');
  const stderr = createOutput(process.stderr, 'standard error');
  (exitCode === 0 ? stdout : stderr).write(text);
  return exitCodeAfter({stdout, stderr}, exitCode);
}
