import {homedir} from 'node:os';
import {fileURLToPath} from 'node:url';
import {watchCrashes} from './modes/start/crash.ts';
import {run} from './modes/run.ts';
import {parseArguments} from './modes/parse-arguments.ts';

/** The built-in demo agent, next to this file in dist/. Node would open its inspector on SIGUSR1 by default. */
const demoCommand = {
  command: process.execPath,
  args: ['--disable-sigusr1', fileURLToPath(new URL('./demo-agent.js', import.meta.url))],
};

watchCrashes();
try {
  homedir();
} catch {
  // Not set, and the system knows none of this user. Modules ask for it when they are loaded; that it is empty is said before anything runs.
  process.env['HOME'] = '';
}
const parsed = await parseArguments(process.argv.slice(2), {
  stdinIsTty: process.stdin.isTTY,
  stdoutIsTty: process.stdout.isTTY,
  columns: process.stdout.columns ?? 80,
});
process.exit(await run(parsed, {demoCommand, loadScreen: () => import('../components/start.tsx')}));
