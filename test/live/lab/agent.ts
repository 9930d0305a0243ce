// Runs one agent of the lab on this process's standard input and output, with its own home and scripted model:
//   node test/live/lab/agent.ts <name> [home] [-- arguments that replace those for ACP]
// so that any client can start it with a single command.
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {
  ALL_AGENT_NAMES,
  ALL_AGENTS,
  isAgentName,
  type AnyAgentName,
  type LabAgent,
  type Place,
} from './agents.ts';
import {folderOf, isInstalled, programsOf} from './folder.ts';

const words = process.argv.slice(2);
const separator = words.indexOf('--');
const [name = '', givenHome] = separator === -1 ? words : words.slice(0, separator);
const givenArgs = separator === -1 ? undefined : words.slice(separator + 1);
if (!isAgentName(name))
  fail(`usage: agent.ts <name> [home] [-- arguments]; names: ${ALL_AGENT_NAMES.join(', ')}`);
if (!isInstalled(name)) fail(`${name} is not installed; run: node test/live/lab/install.ts ${name}`);

const home = path.resolve(givenHome ?? mkdtempSync(path.join(tmpdir(), `lab-${name}-`)));
const {server, address} = await startModel();
const child = startAgent(name, {home, model: address, folder: folderOf(name)});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(String(error)));
child.on('exit', (code, signal) => {
  server.kill();
  process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
});

/** Stops when its standard input closes, so with this process, however that exits. */
async function startModel(): Promise<{server: ChildProcess; address: string}> {
  const script = fileURLToPath(new URL('model-server/main.mjs', import.meta.url));
  const server = spawn(process.execPath, [script], {stdio: ['pipe', 'pipe', 'inherit']});
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return {server, address: `http://127.0.0.1:${/listening (\d+)/.exec(String(line))?.[1]}`};
}

function startAgent(name: AnyAgentName, place: Place): ChildProcess {
  const agent = ALL_AGENTS[name];
  for (const [file, content] of Object.entries(agent.files(place))) {
    const target = path.join(place.home, file);
    mkdirSync(path.dirname(target), {recursive: true});
    writeFileSync(target, content);
  }
  const [program, ...args] = agent.command;
  return spawn(path.join(programsOf(name), program), givenArgs ?? [...args], {
    stdio: 'inherit',
    env: {...process.env, ...surroundings(name, place.home), ...agent.env(place)},
  });
}

/** Returns the folders of `PATH`; if some of their programs must not be found, one with links to the others. */
function pathFor({without = []}: LabAgent, home: string): string {
  const {PATH = ''} = process.env;
  if (without.length === 0) return PATH;
  const others = path.join(home, 'other-programs');
  mkdirSync(others, {recursive: true});
  const hidden = new Set([...without, ...readdirSync(others)]);
  for (const folder of PATH.split(path.delimiter).filter((each) => existsSync(each)))
    for (const program of readdirSync(folder)) {
      if (hidden.has(program)) continue;
      hidden.add(program);
      symlinkSync(path.join(folder, program), path.join(others, program));
    }
  return others;
}

/** Its own home, the Node that runs this, and an unreachable proxy: nothing reaches the network. */
function surroundings(name: AnyAgentName, home: string): NodeJS.ProcessEnv {
  const loopback = '127.0.0.1,localhost';
  return {
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    PATH: [path.dirname(process.execPath), programsOf(name), pathFor(ALL_AGENTS[name], home)].join(
      path.delimiter,
    ),
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: loopback,
    no_proxy: loopback,
  };
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
