import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {spawn} from 'node:child_process';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'rolldown';

const at = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const PROGRAM = at('../bin/acp-tui.js');
export const MINIMAL_CLIENT = at('./baselines/minimal-client.ts');
export const PASTE_READER = at('./baselines/paste-reader.ts');
export const INLINE_PROTOTYPE = at('./baselines/inline-prototype.ts');
export const AGENT: readonly string[] = [process.execPath, at('./agent.ts')];
/** The agent as one argument for `--agent`. */
export const AGENT_LINE = AGENT.map((word) => `'${word}'`).join(' ');

/** The text of a screen that accepts input. */
export const READY = 'Ask anything';
/** The beginning of a permission request. */
export const ASKS = 'Allow this ';
/** The text before that, from the first paint on. */
export const PAINTED = 'messages are queued';

/** The probe's output from the end of the measured process. */
export interface Used {
  readonly cpuSeconds: number;
  readonly longestStallMs: number;
  readonly peakMemoryMb: number;
}

/** A separate home for one run, with its environment variable; `used` reads the probe's output from it. */
export function workspace(): {env: Record<string, string>; used: () => Used; remove: () => void} {
  const home = mkdtempSync(path.join(tmpdir(), 'acp-tui-bench-'));
  const probe = path.join(home, 'used.json');
  return {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_STATE_HOME: home,
      XDG_CACHE_HOME: home,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      NODE_ENV: 'production',
      BENCH_PROBE: probe,
      NODE_OPTIONS: `--import=${at('./probe.mjs')}`,
    },
    used: () => JSON.parse(readFileSync(probe, 'utf8')) as Used,
    remove: () => rmSync(home, {recursive: true, force: true}),
  };
}

/** Bundles a program into the folder as the build does with acp-tui; returns its file, which uses a compile cache, too. */
export async function bundleProgram(program: string, folder: string): Promise<string> {
  const entry = path.join(folder, 'start.mjs');
  await build({
    input: {program},
    platform: 'node',
    external: ['react-devtools-core'],
    transform: {define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'}},
    output: {dir: folder, format: 'esm', minify: true},
  });
  writeFileSync(
    entry,
    `process.getBuiltinModule('node:module').enableCompileCache(); await import('./program.js');`,
  );
  return entry;
}

/** Runs a program until it exits and discards its output; returns wall-clock milliseconds. */
export async function timeProgram(
  args: readonly string[],
  env: Record<string, string>,
  expected: readonly unknown[] = [0],
): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {env, stdio: ['ignore', 'pipe', 'ignore']});
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (!expected.includes(code)) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
  return performance.now() - start;
}

/** Environment without the probe, for wall-clock measurements that it would slow down. */
export function withoutProbe(env: Record<string, string>): Record<string, string> {
  const {BENCH_PROBE: _file, NODE_OPTIONS: _options, ...rest} = env;
  return rest;
}
