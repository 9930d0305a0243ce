import {version} from '../version.ts';
import {RECORDING_VERSION, type RecordingLine} from './schema.ts';
import type {WireEvent} from './wire-event.ts';
import {jsonOf} from '../text/json.ts';

/** When an agent process was started, in milliseconds since the epoch, and how many were before it. */
export interface RecordedProcess {
  readonly startedAt: number;
  readonly before: number;
}

/** What is recorded of an event. */
export function recorded(event: WireEvent, {startedAt, before}: RecordedProcess): RecordingLine {
  const t = {t: Math.max(0, event.at - startedAt), ...(before > 0 && {p: before + 1})};
  switch (event.kind) {
    case 'started': {
      const {label, command, args} = event.agent;
      return {
        ...t,
        d: '#',
        e: 'start',
        v: RECORDING_VERSION,
        at: event.at,
        program: `acp-tui ${version}`,
        agent: {label, command, args: [...args]},
        cwd: event.cwd,
      };
    }
    case 'message': {
      const m = asMessage(event.line);
      if (m === undefined) return {...t, d: '<', text: event.line};
      return {...t, d: event.direction === 'from_agent' ? '<' : '>', m};
    }
    case 'stderr':
      return {...t, d: '!', text: event.text};
    case 'exited':
      return {...t, d: '#', e: 'exit', code: event.code, signal: event.signal, asked: event.asked};
  }
}

/** A line as JSON; undefined when it is no object and no list, and so no message. */
function asMessage(line: string): Record<string, unknown> | unknown[] | undefined {
  const value = jsonOf(line);
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown> | unknown[])
    : undefined;
}
