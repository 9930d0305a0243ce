import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {Readable, Writable} from 'node:stream';
import {ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {environment, PROGRAM} from '../../support/driver/chat.ts';
import {endProcesses} from '../../support/driver/processes.ts';
import {openEditor, type EditorOptions} from '../../support/program/editor-client.ts';
import {LAB} from '../lab/folder.ts';
import {agentHome, agentLine, homeWith, projectIn} from '../real-agent.ts';

/** The built program as an editor's agent, with a real agent behind it. */
function editorHome(name: 'claude' | 'codex' | 'opencode') {
  const home = homeWith({});
  const cwd = projectIn(home);
  const env = {...environment(home), ACP_TUI_LAB: LAB};
  onTestFinished(async () => {
    await execa(process.execPath, [PROGRAM, 'service', 'stop'], {cwd, env, extendEnv: false});
    endProcesses(agentHome(home));
  });
  async function editor(options: EditorOptions, ...args: readonly string[]) {
    const words = [PROGRAM, 'acp', '--agent', agentLine(name, home), ...args];
    const child = spawn(process.execPath, words, {cwd, env, stdio: ['pipe', 'pipe', 'inherit']});
    onTestFinished(() => void child.kill('SIGKILL'));
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    const close = () => {
      child.stdin.end();
      return once(child, 'exit');
    };
    return openEditor({stream, close}, {...options, cwd});
  }
  return {cwd, editor};
}

test.each([
  ['claude', []],
  ['codex', ['--mode', 'read-only']],
  ['opencode', []],
] as const)(
  'an editor talks to %s, allows a change, and loads the session later',
  async (name, args) => {
    const {cwd, editor} = editorHome(name);
    const allow: EditorOptions = {
      permit: ({options}) => {
        const {optionId} = options.find(({kind}) => kind === 'allow_once')!;
        return {outcome: {outcome: 'selected', optionId}};
      },
    };
    const first = await editor(allow, ...args);
    const {sessionId, configOptions} = await first.open();
    expect(configOptions?.map(({id}) => id)).toEqual(expect.arrayContaining(['model', 'agent']));
    expect(await first.prompt(sessionId, 'say hello')).toMatchObject({stopReason: 'end_turn'});
    expect(first.text('agent_message_chunk')).toMatch(/Hello from the \*\*mock\*\* model/);
    expect(first.text('user_message_chunk')).toBe('');
    await first.prompt(sessionId, 'write file');
    expect(first.asked.length).toBeGreaterThan(0);
    expect(existsSync(path.join(cwd, 'lab-notes.md'))).toBe(true);
    expect(first.text('agent_message_chunk')).toContain('The file is written.');
    await first.close();

    const second = await editor(allow);
    const {sessions} = await second.agent.request('session/list', {cwd});
    expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
    await second.agent.request('session/load', {sessionId, cwd, mcpServers: []});
    expect(second.text('user_message_chunk')).toBe('say hellowrite file');
    expect(second.text('agent_message_chunk')).toContain('The file is written.');
    const before = second.text('agent_message_chunk').length;
    await second.prompt(sessionId, 'say hello');
    expect(second.text('agent_message_chunk').slice(before)).toMatch(/Hello from the \*\*mock\*\* model/);
  },
  300_000,
);
