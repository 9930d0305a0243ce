import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {client, ndJsonStream, type ClientContext} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, onTestFinished} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {attachSession} from '../../../src/service/attached-session.ts';
import {findService} from '../../../src/service/service-client.ts';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {programFile, runProgram} from '../../support/program/run-program.ts';
import {orThrow, windowOn, type TestWindow} from '../service/open-service.ts';

/** A command line that starts the scripted agent. */
export const scripted = (script: Script) => scenario('script', JSON.stringify(script));
export const scenario = (...words: readonly string[]) => quoteWords([process.execPath, FAKE_AGENT, ...words]);

/** What an editor answers to a request for permission; it may wait. */
type Permit = (
  request: acp.RequestPermissionRequest,
  signal: AbortSignal,
) => acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse>;

interface EditorOptions {
  readonly args?: readonly string[];
  readonly capabilities?: acp.ClientCapabilities;
  readonly permit?: Permit;
  readonly elicit?: (request: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;
}

/** Folders of the program, with its settings; its service ends with the test. */
export function openHome(settings: object = {}) {
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
  const cwd = realpathSync(temporaryFolder());
  const run = (...args: string[]) => runProgram(args, {input: '', cwd, env});
  onTestFinished(async () => void (await run('service', 'stop')));

  /** An editor: the SDK's client, on the streams of the built program. */
  async function openEditor({args = [], capabilities = {}, permit, elicit}: EditorOptions = {}) {
    const child = spawn(process.execPath, [programFile, 'acp', ...args], {
      cwd,
      env: {...process.env, ...env},
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => undefined);
    const updates: acp.SessionNotification[] = [];
    const asked: acp.RequestPermissionRequest[] = [];
    const completed: string[] = [];
    const app = client({name: 'test'})
      .onNotification('session/update', ({params}) => void updates.push(params))
      .onRequest('session/request_permission', ({params, signal}) => {
        asked.push(params);
        return permit?.(params, signal) ?? new Promise<never>(() => undefined);
      })
      .onNotification('elicitation/complete', ({params}) => void completed.push(params.elicitationId))
      .onRequest('elicitation/create', ({params}) => elicit?.(params) ?? {action: 'cancel'});
    const {agent, closed} = app.connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
    const initialized = await agent.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: capabilities,
    });
    const sent = (kind: string) =>
      updates.map(({update}) => update).filter(({sessionUpdate}) => sessionUpdate === kind);
    return {
      agent,
      child,
      closed,
      initialized,
      updates,
      asked,
      completed,
      sent,
      /** All text of a kind of message. */
      text: (kind: 'agent_message_chunk' | 'user_message_chunk' | 'agent_thought_chunk') =>
        sent(kind)
          .map((update) =>
            'content' in update && update.content && 'text' in update.content ? update.content.text : '',
          )
          .join(''),
      open: () => agent.request('session/new', {cwd, mcpServers: []}),
      prompt: (sessionId: string, text: string) => promptIn(agent, sessionId, text),
      /** Ends like an editor that is closed. */
      close: async () => {
        child.stdin.end();
        await once(child, 'exit');
      },
    };
  }

  return {
    cwd,
    state,
    run,
    editor: openEditor,
    sessions: async () => {
      const {stdout} = await run('service', 'status', '--json');
      return stdout.startsWith('{')
        ? (JSON.parse(stdout) as {sessions: readonly {id: string; doing: string; windows: number}[]}).sessions
        : [];
    },
    window: async (id: string): Promise<TestWindow> => {
      const service = orThrow(await findService(state));
      if (!service) throw new Error('no service runs');
      onTestFinished(() => service.close());
      return windowOn(orThrow(await attachSession(service, id, state)));
    },
  };
}

function promptIn(agent: ClientContext, sessionId: string, text: string): Promise<acp.PromptResponse> {
  return agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text}]});
}

/** The option of a request with this name. */
export function choose(name: string): Permit {
  return ({options}) => {
    const option = options.find((each) => each.name === name);
    expect(option, `an option "${name}"`).toBeDefined();
    return {outcome: {outcome: 'selected', optionId: option!.optionId}};
  };
}
