import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';

/** A terminal of the agent, with its pending output. */
interface AgentTerminal {
  /** The tool call that shows it. */
  toolCallId: string | undefined;
  command: string | undefined;
  readonly decoder: TextDecoder;
  hasOutput: boolean;
  /** The `_meta` to send once a tool call shows it. */
  readonly held: object[];
}

/** Translates terminals to version 1: into the `_meta` of the tool call that shows them. */
export function createTerminals() {
  const terminals = new Map<string, AgentTerminal>();

  function of(id: string): AgentTerminal {
    const known = terminals.get(id);
    if (known) return known;
    const decoder = new TextDecoder();
    const made = {toolCallId: undefined, command: undefined, decoder, hasOutput: false, held: []};
    terminals.set(id, made);
    return made;
  }

  return {
    update(update: v2.TerminalUpdate): readonly object[] {
      const terminal = of(update.terminalId);
      terminal.command ??= update.command ?? undefined;
      return report(terminal, described(terminal, update));
    },
    output({terminalId, data}: v2.TerminalOutputChunk): readonly object[] {
      const terminal = of(terminalId);
      return report(terminal, [output(terminal, terminalId, data)]);
    },
    /** Reports the pending output if this content of a tool call is a terminal. */
    attach(toolCallId: string, content: v2.ToolCallContent): readonly object[] {
      if (content.type !== 'terminal' || !('terminalId' in content)) return [];
      const terminal = of((content as v2.Terminal).terminalId);
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
  held.push(...metas);
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

/** A snapshot replaces earlier output; version 1 can only append, so only the first snapshot is used. */
function described(terminal: AgentTerminal, update: v2.TerminalUpdate): readonly object[] {
  const {terminalId, cwd, output: snapshot, exitStatus} = update;
  const {exitCode = null, signal = null} = exitStatus ?? {};
  return [
    ...(cwd ? [{terminal_info: {terminal_id: terminalId, cwd}}] : []),
    ...(snapshot && !terminal.hasOutput ? [output(terminal, terminalId, snapshot.data)] : []),
    ...(exitStatus ? [{terminal_exit: {terminal_id: terminalId, exit_code: exitCode, signal}}] : []),
  ];
}

function output(terminal: AgentTerminal, terminalId: string, base64: string): object {
  terminal.hasOutput = true;
  const data = terminal.decoder.decode(Buffer.from(base64, 'base64'), {stream: true});
  return {terminal_output: {terminal_id: terminalId, data}};
}
