import {on} from 'node:events';
import {writeFileSync} from 'node:fs';
import {Readable, Transform, Writable} from 'node:stream';
import {ReadableStream} from 'node:stream/web';
import {setTimeout as sleep} from 'node:timers/promises';
import {ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {scenarios} from '../../fixtures/fake-agent/scenarios/index.ts';
import {openWire} from '../../fixtures/fake-agent/wire.ts';
import {launchAgent, startAgent, type AgentProcess, type AgentStarts} from '../../src/agents/launch.ts';
import type {AgentCommand} from '../../src/agents/resolve.ts';
import {connectDemoAgent} from '../../src/demo/agent.ts';
import type {ProcessExit} from '../../src/shared/failure.ts';
import {DEMO} from './driver/lend-process.ts';
import {FAKE_AGENT} from './fake-agent.ts';

/** The scenarios whose subject is a process: its signals, its children, what it leaves, how long it takes to start. All others only talk. */
const ABOUT_PROCESSES = new Set([
  'breaks leaves-processes',
  'cat',
  'closes-output',
  'crash',
  'fails-once',
  'lingers',
  'stubborn',
]);

/** What an agent has of a process. */
interface AgentStreams {
  readonly pid: number;
  readonly stdin: Transform;
  readonly stdout: Transform;
  readonly stderr: Transform;
  readonly env: NodeJS.ProcessEnv;
  readonly exit: (code: number) => void;
}

/** Returns what runs an agent in the process of the test; undefined if that needs one of its own. */
function runnerOf({args}: AgentCommand): ((own: AgentStreams) => unknown) | undefined {
  const [file, name = '', ...rest] = args;
  if (file === DEMO.args[0] && name === '') return runDemo;
  const isAboutProcess = [name, [name, ...rest].join(' ')].some((each) => ABOUT_PROCESSES.has(each));
  if (file !== FAKE_AGENT || isAboutProcess) return undefined;
  return (own) => scenarios[name]?.(openWire(rest, own));
}

async function runDemo({stdin, stdout, env, exit}: AgentStreams): Promise<void> {
  const pace = Number(env['ACP_TUI_DEMO_PACE'] ?? 1);
  const input = Readable.toWeb(stdin) as AgentProcess['stdout'];
  await connectDemoAgent(ndJsonStream(Writable.toWeb(stdout), input), {pace}).closed;
  exit(0);
}

let started = 0;

/** Passes data on in a later turn of the event loop, as between processes. */
function pipe(): Transform {
  return new Transform({transform: (chunk, _encoding, done) => void setImmediate(done, null, chunk)});
}

/** Each read returns everything that has arrived, as from a pipe. */
async function* readWhole(source: Readable): AsyncGenerator<Uint8Array> {
  for await (const _ of on(source, 'readable', {close: ['end', 'close']})) {
    let bytes: Uint8Array | null;
    while ((bytes = source.read() as Uint8Array | null) !== null) yield bytes;
  }
}

/** Names the file of an agent in which is written whether it was to be started in a sandbox; without it, a confined agent is a process. */
export const STARTED_IN = 'ACP_TUI_TEST_STARTED_IN';

/**
 * Starts an agent as the program does, but the demo, and the fake agent where its process is not the subject, in the process of the test: a process takes
 * ten times as long. What is said is said in the same bytes.
 */
export const launchAgentHere: typeof launchAgent = async (agent, options) => {
  const run = runnerOf(agent);
  const {[STARTED_IN]: note} = agent.env;
  if (!run || (options.sandbox && note === undefined)) return launchAgent(agent, options);
  if (note !== undefined) writeFileSync(note, options.sandbox ? 'inside' : 'outside');
  const {onEvent = () => {}} = options;
  const {promise: exited, resolve: exit} = Promise.withResolvers<ProcessExit>();
  const {label, command, args} = agent;
  const pid = -++started;
  const [stdin, stdout, stderr] = [pipe(), pipe(), pipe()];
  let said = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    onEvent({kind: 'stderr', pid, at: Date.now(), text});
  });
  let isAsked = false;
  let isRunning = true;
  function end(how: ProcessExit): void {
    if (!isRunning) return;
    isRunning = false;
    stdout.end();
    onEvent({kind: 'exited', pid, at: Date.now(), ...how, asked: isAsked});
    exit(how);
  }
  function closeInput(): void {
    isAsked = true;
    stdin.end();
  }
  onEvent({kind: 'started', pid, at: Date.now(), agent: {label, command, args}, cwd: options.cwd});
  const running: AgentProcess = {
    pid,
    stdin: Writable.toWeb(stdin),
    stdout: ReadableStream.from(readWhole(stdout)) as AgentProcess['stdout'],
    stderrTail: () => said,
    exited,
    closeInput,
    living: () => Number(isRunning),
    async stop() {
      closeInput();
      // One whose output nobody reads does not come to its end.
      await Promise.race([exited, sleep(2000, undefined, {ref: false})]);
      end({code: null, signal: 'SIGTERM'});
    },
    killNow: () => end({code: null, signal: 'SIGKILL'}),
  };
  const env = {...process.env, ...agent.env};
  const exits = (code: number) => end({code, signal: null});
  void run({pid, stdin, stdout, stderr, env, exit: exits});
  return {ok: true, value: running};
};

/** The same for any agent. */
export const startAgentHere: typeof startAgent = (agent, options) =>
  agent.remote ? startAgent(agent, options) : launchAgentHere(agent, options);

/** The agents of a program that runs in the process of the test. */
export const AGENTS_HERE: AgentStarts = {demoCommand: DEMO, startAgent: startAgentHere};
