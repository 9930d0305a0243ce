import path from 'node:path';
import type {TerminalHandle} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Stage} from './stage.ts';

type Verdict = 'allowed' | 'refused';

/** Reads a file through the client, if it offers that; shows a tool call either way. */
export async function readFile(stage: Stage, name: string): Promise<string | undefined> {
  const file = path.resolve(stage.session.cwd, name);
  const toolCallId = stage.nextToolCallId();
  const title = `Read ${name}`;
  await stage.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    name: 'read_file',
    kind: 'read',
    status: 'in_progress',
    locations: [{path: file}],
    rawInput: {path: file},
  });
  if (!stage.client.fs?.readTextFile) return missing(stage, toolCallId, 'reading files');
  try {
    const {content} = await stage.context.request('fs/read_text_file', {
      sessionId: stage.session.id,
      path: file,
    });
    await finish(stage, toolCallId, [text(`${content.trimEnd().split('\n').length} lines`)]);
    return content;
  } catch (error) {
    await fail(stage, toolCallId, error);
    return undefined;
  }
}

/** Writes a file through the client, after asking in mode `ask`. True if it was written. */
export async function writeFile(stage: Stage, name: string, newText: string): Promise<boolean> {
  const file = path.resolve(stage.session.cwd, name);
  const toolCallId = stage.nextToolCallId();
  const oldText = await readQuietly(stage, file);
  const call = {
    toolCallId,
    title: `Write ${name}`,
    name: 'write_file',
    kind: 'edit' as const,
    status: 'pending' as const,
    content: [{type: 'diff' as const, path: file, oldText, newText}],
    locations: [{path: file}],
    rawInput: {path: file},
  };
  await stage.update({sessionUpdate: 'tool_call', ...call});
  if (!stage.client.fs?.writeTextFile) return Boolean(await missing(stage, toolCallId, 'writing files'));
  if ((await permission(stage, call)) === 'refused') return false;
  await stage.update({sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress'});
  try {
    await stage.context.request('fs/write_text_file', {
      sessionId: stage.session.id,
      path: file,
      content: newText,
    });
    await finish(stage, toolCallId);
    return true;
  } catch (error) {
    await fail(stage, toolCallId, error);
    return false;
  }
}

/** Runs a command in a terminal of the client, after asking in mode `ask`. Returns its output. */
export async function runCommand(
  stage: Stage,
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  const toolCallId = stage.nextToolCallId();
  const line = [command, ...args].join(' ');
  const call = {
    toolCallId,
    title: line,
    name: 'run_command',
    kind: 'execute' as const,
    status: 'pending' as const,
    rawInput: {command: [command, ...args]},
  };
  await stage.update({sessionUpdate: 'tool_call', ...call});
  if (!stage.client.terminal) return missing(stage, toolCallId, 'running commands');
  if ((await permission(stage, call)) === 'refused') return undefined;
  try {
    const sessionId = stage.session.id;
    const cwd = stage.session.cwd;
    const terminal = await stage.context.createTerminal({sessionId, command, args: [...args], cwd});
    try {
      const content = [{type: 'terminal' as const, terminalId: terminal.id}];
      await stage.update({sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', content});
      return await outputOf(stage, toolCallId, terminal);
    } finally {
      await terminal.release();
    }
  } catch (error) {
    await fail(stage, toolCallId, error);
    return undefined;
  }
}

/** Waits for a command, stops it on a cancel, and reports how it ended. */
async function outputOf(stage: Stage, toolCallId: string, terminal: TerminalHandle): Promise<string> {
  stage.signal.addEventListener('abort', () => void terminal.kill(), {once: true});
  const exit = await terminal.waitForExit();
  const {output} = await terminal.currentOutput();
  const status = exit.exitCode === 0 ? 'completed' : 'failed';
  await stage.update({sessionUpdate: 'tool_call_update', toolCallId, status, rawOutput: {...exit}});
  return output;
}

/** In mode `ask` the user decides, in `auto` nothing is asked, in `look` nothing is done. */
async function permission(stage: Stage, call: acp.ToolCallUpdate): Promise<Verdict> {
  if (stage.session.mode === 'auto') return 'allowed';
  if (stage.session.mode === 'look')
    return refuse(stage, call.toolCallId, 'The mode "Look only" does not allow this.');
  const {outcome} = await stage.context.request('session/request_permission', {
    sessionId: stage.session.id,
    toolCall: call,
    options: [
      {optionId: 'allow', name: 'Allow', kind: 'allow_once'},
      {optionId: 'always', name: 'Allow for this session', kind: 'allow_always'},
      {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
    ],
  });
  stage.signal.throwIfAborted();
  if (outcome.outcome === 'cancelled') return refuse(stage, call.toolCallId, 'It was cancelled.');
  if (outcome.optionId === 'reject') return refuse(stage, call.toolCallId, 'It was rejected.');
  return 'allowed';
}

async function refuse(stage: Stage, toolCallId: string, why: string): Promise<Verdict> {
  await stage.update({sessionUpdate: 'tool_call_update', toolCallId, status: 'failed', content: [text(why)]});
  return 'refused';
}

async function missing(stage: Stage, toolCallId: string, what: string): Promise<undefined> {
  await refuse(stage, toolCallId, `This client does not offer ${what}.`);
}

async function finish(stage: Stage, toolCallId: string, content?: acp.ToolCallContent[]): Promise<void> {
  const more = content ? {content} : {};
  await stage.update({sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...more});
}

async function fail(stage: Stage, toolCallId: string, error: unknown): Promise<void> {
  stage.signal.throwIfAborted();
  const message = error instanceof Error ? error.message : String(error);
  await stage.update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'failed',
    content: [text(message)],
  });
}

async function readQuietly(stage: Stage, file: string): Promise<string | null> {
  if (!stage.client.fs?.readTextFile) return null;
  try {
    return (await stage.context.request('fs/read_text_file', {sessionId: stage.session.id, path: file}))
      .content;
  } catch {
    return null;
  }
}

function text(value: string): acp.ToolCallContent {
  return {type: 'content', content: {type: 'text', text: value}};
}
