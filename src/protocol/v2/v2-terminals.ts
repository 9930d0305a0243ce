import {createHash, type Hash} from 'node:crypto';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {addAll} from '../../text/lists.ts';

/** A terminal of the agent, with its pending output. */
interface AgentTerminal {
  /** The tool call that shows it. */
  toolCallId: string | undefined;
  command: string | undefined;
  /** Its output so far. */
  sent: SentBytes;
  /** The `_meta` to send once a tool call shows it. */
  readonly held: object[];
}

interface SentBytes {
  readonly decoder: TextDecoder;
  readonly hash: Hash;
  length: number;
}

/** Translates terminals to version 1: into the `_meta` of the tool call that shows them. */
export function createTerminals() {
  const terminals = new Map<string, AgentTerminal>();

  function of(id: string): AgentTerminal {
    const known = terminals.get(id);
    if (known) return known;
    const made = {toolCallId: undefined, command: undefined, sent: nothingSent(), held: []};
    terminals.set(id, made);
    return made;
  }

  return {
    update(update: JsonObject): readonly object[] {
      const {terminalId, command} = update;
      if (typeof terminalId !== 'string') return [update];
      const terminal = of(terminalId);
      if (typeof command === 'string') terminal.command ??= command;
      return report(terminal, described(terminal, terminalId, update));
    },
    output(chunk: JsonObject): readonly object[] {
      const {terminalId, data} = chunk;
      if (typeof terminalId !== 'string' || typeof data !== 'string') return [chunk];
      const terminal = of(terminalId);
      return report(terminal, [output(terminal, terminalId, bytesOf(data))]);
    },
    /** Reports the pending output if this content of a tool call is a terminal. */
    attach(toolCallId: string, content: unknown): readonly object[] {
      if (!isJsonObject(content) || content['type'] !== 'terminal') return [];
      const {terminalId} = content;
      if (typeof terminalId !== 'string') return [];
      const terminal = of(terminalId);
      terminal.toolCallId ??= toolCallId;
      return report(terminal, terminal.held.splice(0));
    },
    /** Reports terminals that no tool call shows, each in a new tool call. */
    flush: (): readonly object[] =>
      Array.from(terminals).flatMap(([id, terminal]) => ownToolCall(id, terminal)),
  };
}

function report(terminal: AgentTerminal, metas: readonly object[]): readonly object[] {
  const {toolCallId, held} = terminal;
  if (toolCallId !== undefined)
    return metas.map((_meta) => ({sessionUpdate: 'tool_call_update', toolCallId, _meta}));
  addAll(held, metas);
  return [];
}

function ownToolCall(terminalId: string, terminal: AgentTerminal): readonly object[] {
  if (terminal.held.length === 0) return [];
  const toolCallId = `terminal-${terminalId}`;
  terminal.toolCallId = toolCallId;
  const title = terminal.command ?? 'Command';
  const content = [{type: 'terminal', terminalId}];
  const made = {sessionUpdate: 'tool_call', toolCallId, title, kind: 'execute', content};
  return [made, ...report(terminal, terminal.held.splice(0))];
}

function described(terminal: AgentTerminal, terminalId: string, update: JsonObject): readonly object[] {
  const {command, cwd, output: snapshot, exitStatus, size, capabilities} = update;
  const {exitCode = null, signal = null} = isJsonObject(exitStatus) ? exitStatus : {};
  const data = isJsonObject(snapshot) ? snapshot['data'] : undefined;
  const facts = {
    ...(typeof command === 'string' && {command}),
    ...(typeof cwd === 'string' && {cwd}),
    ...(isJsonObject(size) && {size}),
    ...(capabilities !== undefined && {capabilities}),
  };
  return [
    ...(Object.keys(facts).length > 0 ? [{terminal_info: {terminal_id: terminalId, ...facts}}] : []),
    ...(typeof data === 'string' ? replaced(terminal, terminalId, bytesOf(data)) : []),
    ...(isJsonObject(exitStatus)
      ? [{terminal_exit: {terminal_id: terminalId, exit_code: exitCode, signal}}]
      : []),
  ];
}

/** A snapshot replaces earlier output; version 1 can only append: what the snapshot has in addition, or all of it on a cleared screen. */
function replaced(terminal: AgentTerminal, terminalId: string, snapshot: Buffer): readonly object[] {
  const {hash, length} = terminal.sent;
  const known = snapshot.subarray(0, length);
  const continues =
    known.length === length && digestOf(createHash('sha256').update(known)) === digestOf(hash);
  if (continues)
    return snapshot.length === length ? [] : [output(terminal, terminalId, snapshot.subarray(length))];
  terminal.sent = nothingSent();
  return [outputOf(terminalId, CLEAR), output(terminal, terminalId, snapshot)];
}

/** Begins a line where the output is shown as text, which cannot be cleared. */
const CLEAR = '\r\n\x1b[H\x1b[2J\x1b[3J';

function output({sent}: AgentTerminal, terminalId: string, bytes: Buffer): object {
  sent.hash.update(bytes);
  sent.length += bytes.length;
  return outputOf(terminalId, sent.decoder.decode(bytes, {stream: true}));
}

function outputOf(terminalId: string, data: string): object {
  return {terminal_output: {terminal_id: terminalId, data}};
}

function nothingSent(): SentBytes {
  return {decoder: new TextDecoder(), hash: createHash('sha256'), length: 0};
}

function digestOf(hash: Hash): string {
  return hash.copy().digest('base64');
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
