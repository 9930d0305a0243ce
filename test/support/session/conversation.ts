import type * as acp from '@agentclientprotocol/sdk/unstable';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';
import type {Chunk, PlacedChunk} from '../../../components/chunks/chunks.ts';
import {
  createProjector,
  type ProjectionLimits,
  type Projection,
} from '../../../components/inline/projector.ts';
import * as build from './build.ts';

/** A conversation that is projected as it continues, with its own clock. `committed` is everything printed so far. */
export interface Conversation {
  report(...events: readonly build.UntimedEvent[]): Projection;
  /** Flushes until nothing waits. */
  settle(): Projection;
  session(): SessionState;
}

/** Every piece takes one line by default. */
export function conversation(limits: Partial<ProjectionLimits> = {}): Conversation {
  const projector = createProjector();
  let committed: readonly PlacedChunk[] = [];
  const rows = {heightOf: () => 1, liveRows: 20, pageRows: 20, isAsked: () => false};
  const all: ProjectionLimits = {...rows, canPrint: () => true, hasTime: () => true, ...limits};
  let at = 1_000_000;
  let session = initialSession({cwd: '/work', additionalDirectories: [], at});
  const fold = (event: build.UntimedEvent) => {
    session = reduce(session, {...event, at: (at += 1000)});
  };
  function flush(): Projection {
    const projection = projector.update(session, all);
    committed = [...committed, ...projection.committed];
    return {...projection, committed};
  }
  fold({type: 'connection_changed', connection: {kind: 'ready'}});
  return {
    report(...events) {
      for (const event of events) fold(event);
      return flush();
    },
    settle() {
      let projection = flush();
      while (projection.waiting) projection = flush();
      return projection;
    },
    session: () => session,
  };
}

export const prompt = (turn: number, words = 'go') => build.prompted(words, turn);

export const ended = (turn: number, stopReason: acp.StopReason = 'end_turn') => build.ended(stopReason, turn);

export const says = (words: string, messageId?: string) => build.update(build.says(words, messageId));

export const thinks = (words: string) => build.update(build.thinks(words));

export const tool = (
  toolCallId: string,
  status: acp.ToolCallStatus,
  more: Partial<acp.ToolCall> = {},
): build.UntimedEvent =>
  build.update({sessionUpdate: 'tool_call', toolCallId, title: `tool ${toolCallId}`, status, ...more});

export const diff = (
  newText: string,
  oldText: string | null = null,
  path = '/work/a.txt',
): acp.ToolCallContent => ({type: 'diff', path, oldText, newText});

/** The agent asks to allow a tool call, with a yes and a no. */
export const asks = (toolCall: Partial<acp.ToolCallUpdate>) => ({
  type: 'permission_requested' as const,
  id: 'p',
  request: {
    sessionId: 's',
    toolCall: {toolCallId: 'a', title: 'Clean up', ...toolCall},
    options: [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once' as const},
      {optionId: 'no', name: 'No', kind: 'reject_once' as const},
    ],
  },
});

/** A piece in short, for comparing. */
export function chunkSummary(piece: Chunk): string {
  switch (piece.kind) {
    case 'entry':
      return piece.entry.type === 'tool_call'
        ? `${piece.entry.title} ${piece.entry.status}`
        : piece.entry.type;
    case 'block':
      return piece.block.source.trim();
    case 'attachment':
      return piece.content.type;
    case 'start':
      return 'start';
    case 'lookups':
      return `looks ${piece.entries.map(({title}) => title).join(', ')}`;
    case 'ending':
      return piece.entry.type === 'tool_call'
        ? `end of ${piece.entry.title}: ${piece.entry.status}`
        : `end of ! ${piece.entry.command}`;
  }
}

export const names = (pieces: Projection['committed']): string[] =>
  pieces.map(({chunk: piece}) => chunkSummary(piece));
