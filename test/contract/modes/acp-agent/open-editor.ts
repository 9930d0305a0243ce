import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {ndJsonStream, type AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {onTestFinished} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {editorServices} from '../../../../src/modes/acp-agent/editor-services.ts';
import {readAcpCommand} from '../../../../src/modes/commands/acp/acp-arguments.ts';
import {createEditorAgent} from '../../../../src/modes/acp-agent/editor-agent.ts';
import {prepareSession} from '../../../../src/modes/start/prepared-session.ts';
import {attachSession} from '../../../../src/service/attached-session.ts';
import {ownSessions} from '../../../../src/service/own-sessions.ts';
import {findService} from '../../../../src/service/service-client.ts';
import {findPaths} from '../../../../src/shared/files/paths.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {startAgentHere} from '../../../support/agent-here.ts';
import {DEMO} from '../../../support/driver/lend-process.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {openEditor, type AgentStream, type EditorOptions} from '../../../support/program/editor-client.ts';
import {PROGRAM, runProgram} from '../../../support/program/run-program.ts';
import {orThrow, windowOn, type TestWindow} from '../../service/open-service.ts';
import {startServiceHere} from '../../service/service-here.ts';

/** A command line that starts the scripted agent. */
export const scripted = (script: Script) => scenario('script', JSON.stringify(script));
export const scenario = (...words: readonly string[]) => quoteWords([process.execPath, FAKE_AGENT, ...words]);

interface Started extends EditorOptions {
  readonly args?: readonly string[];
}

/** Folders of the program, with its settings. */
function openFolders(settings: object) {
  const home = temporaryFolder();
  const env = Object.fromEntries(
    ['config', 'state', 'data', 'cache'].map((name) => [
      `ACP_TUI_${name.toUpperCase()}_DIR`,
      join(home, name),
    ]),
  );
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify(settings));
  const state = join(home, 'state');

  async function service() {
    const found = orThrow(await findService(state));
    if (!found) throw new Error('no service runs');
    onTestFinished(() => found.close());
    return found;
  }

  return {
    env,
    state,
    cwd: realpathSync(temporaryFolder()),
    service,
    sessions: async () => (await service()).list(),
    window: async (id: string): Promise<TestWindow> =>
      windowOn(orThrow(await attachSession(await service(), id, state))),
  };
}

/** `acp-tui acp` in the process of the test; `own` runs its sessions, by default the service. */
export function editorAgent(args: readonly string[], own?: ReturnType<typeof ownSessions>): AgentStream {
  const read = readAcpCommand(args, 80);
  if (read.kind === 'message') throw new Error(read.text);
  const {connect, end} = createEditorAgent(editorServices(read.command, findPaths(), own));
  const [toAgent, toEditor] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  const connection = connect({readable: toAgent.readable, writable: toEditor.writable});
  return {
    stream: {readable: toEditor.readable, writable: toAgent.writable},
    close: async () => {
      connection.close();
      await end();
      await own?.end();
    },
  };
}

const prepare: Parameters<typeof ownSessions>[0]['prepare'] = (start, reserve) =>
  prepareSession(start, {demoCommand: DEMO, reserve});

/** acp-tui for editors, with its service, in the process of the test: only the agents have processes of their own. */
export async function openHome(settings: object = {}) {
  const folders = openFolders(settings);
  const {env, state, cwd} = folders;
  let running = await startServiceHere(state, env);

  return {
    ...folders,
    editor: ({args = [], ...options}: Started = {}) => {
      const own = args.includes('--no-background')
        ? ownSessions({log() {}, prepare, startAgent: startAgentHere})
        : undefined;
      return openEditor(editorAgent(args, own), {...options, cwd});
    },
    /** Ends all sessions: they are only stored from now on. */
    restartService: async () => {
      await running.end();
      running = await startServiceHere(state, env);
    },
  };
}

/** The built program as an editor starts it, with its own service, which ends with the test. */
export function openProgram() {
  const folders = openFolders({});
  const {env, cwd} = folders;
  onTestFinished(async () => void (await runProgram(['service', 'stop'], {input: '', cwd, env})));
  return {
    ...folders,
    editor: async ({args = [], ...options}: Started = {}) => {
      const child = spawn(process.execPath, [PROGRAM, 'acp', ...args], {
        cwd,
        env: {...process.env, ...env},
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      child.stdin.on('error', () => undefined);
      const stream = ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      );
      const close = () => {
        child.stdin.end();
        return once(child, 'exit');
      };
      return {child, ...(await openEditor({stream, close}, {...options, cwd}))};
    },
  };
}
