import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry} from '../../src/session/entries.ts';
import {askedToolCall, terminalIds} from '../../src/session/selectors.ts';
import type {PendingRequest, SessionState} from '../../src/session/state.ts';
import {type Draw, drawRule} from '../draw/draw.ts';
import {drawFormRequest} from '../panels/form-panel.ts';
import {drawLinkRequest} from '../panels/link-panel.ts';
import {drawRequest} from '../panels/permission-panel.ts';
import {drawInPlace} from '../transcript/entries.ts';
import {place, type Chunk} from '../transcript/chunks.ts';

export interface Transcript {
  readonly lines: readonly string[];
  /** The row where each entry begins. */
  readonly beginnings: ReadonlyMap<string, number>;
  /** The entries that can be folded, by the row where each begins. */
  readonly foldable: readonly {readonly id: string; readonly row: number; readonly rows: number}[];
}

interface Drawn {
  readonly draw: Draw;
  readonly isSubagent: boolean;
  /** The terminals that it shows. */
  readonly terminals: readonly acp.TerminalId[];
  readonly lines: readonly string[];
}

type DrawTranscript = (session: SessionState, draw: Draw, isFolded?: (id: string) => boolean) => Transcript;

/** Everything that was said and done as lines, opened unless folded. Entries that have not changed are drawn once. */
export function createTranscriptLines(): DrawTranscript {
  const known = new WeakMap<Entry, Drawn>();

  function linesOf(entry: Entry, draw: Draw): readonly string[] {
    const before = known.get(entry);
    if (before && isSame(before, draw)) return before.lines;
    const lines = drawInPlace(entry, draw);
    known.set(entry, {draw, isSubagent: entry.type === 'subagent', terminals: terminalIds(entry), lines});
    return lines;
  }

  return (session, draw, isFolded = () => false) => {
    const all: string[] = [];
    const foldable: Transcript['foldable'][number][] = [];
    const beginnings = new Map<string, number>();
    const shut: Draw = {...draw, extent: 'folded'};
    let above: Chunk | undefined;
    for (const entry of session.entries) {
      const {id} = entry;
      const {chunk, gap} = place({kind: 'entry', id, entry, endedAt: undefined}, above);
      if (gap && all.length > 0) all.push('');
      const lines = linesOf(entry, canFold(entry) && isFolded(id) ? shut : draw);
      beginnings.set(id, all.length);
      if (canFold(entry)) foldable.push({id, row: all.length, rows: lines.length});
      for (const line of lines) all.push(line);
      above = chunk;
    }
    return {lines: [...all, ...drawWaiting(session, draw)], beginnings, foldable};
  };
}

function canFold({type}: Entry): boolean {
  return type === 'tool_call' || type === 'agent_thought' || type === 'subagent';
}

/** Draws a pending request in full. */
function drawWaiting(session: SessionState, draw: Draw): string[] {
  return session.pending.flatMap((request) => [
    '',
    drawRule('Waiting for your answer', draw.paint.warning, draw),
    ...drawPending(session, request, draw),
  ]);
}

function drawPending(session: SessionState, request: PendingRequest, draw: Draw): readonly string[] {
  const entry = askedToolCall(session, request);
  switch (request.kind) {
    case 'permission':
      return drawRequest(request, entry, draw);
    case 'form':
      return drawFormRequest(request, draw);
    case 'url':
      return drawLinkRequest(request, entry, draw);
  }
}

/** Without a look at the entry, which may have to be read from the disk. */
function isSame({draw: before, terminals, isSubagent}: Drawn, now: Draw): boolean {
  if (before === now) return true;
  if (isSubagent && before.subagents !== now.subagents) return false;
  return (
    (['columns', 'paint', 'symbols', 'extent'] as const).every((part) => before[part] === now[part]) &&
    terminals.every((id) => before.terminals[id] === now.terminals[id])
  );
}
