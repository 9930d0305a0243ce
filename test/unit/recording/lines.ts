import type {Message} from '../../../src/recording/exchanges.ts';
import type {RecordingLine} from '../../../src/recording/format.ts';

/** A line of a recording without its time: lines are 100 ms apart by default. */
export type Line = {readonly t?: number} & (
  {readonly to: Message} | {readonly from: Message} | {readonly prints: string} | {readonly exit: true}
);

export const update = (update: object, sessionId = 's'): Line => ({
  from: {method: 'session/update', params: {sessionId, update}},
});
export const ask = (id: number, method: string, params: object = {sessionId: 's'}): Line => ({
  to: {id, method, params},
});
export const answer = (id: number, result: object = {}): Line => ({from: {id, result}});
export const asks = (id: number, method: string, params: object = {}): Line => ({
  from: {id, method, params: {sessionId: 's', ...params}},
});
export const chunk = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Hi'}};
export const call = {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Look'};
export const callUpdate = {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'};
export const commands = {sessionUpdate: 'available_commands_update', availableCommands: []};
export const cancel: Line = {to: {method: 'session/cancel', params: {sessionId: 's'}}};

export const offered = {fs: {readTextFile: true}, terminal: true};
export const beginning: readonly Line[] = [
  ask(0, 'initialize', {clientCapabilities: offered}),
  answer(0),
  ask(1, 'session/new', {cwd: '/p'}),
  answer(1, {sessionId: 's'}),
];

export function recordingOf(lines: readonly Line[]): readonly RecordingLine[] {
  let t = 0;
  return lines.map((line): RecordingLine => {
    t = line.t ?? t + 100;
    if ('to' in line) return {t, d: '>', m: line.to};
    if ('from' in line) return {t, d: '<', m: line.from};
    if ('prints' in line) return {t, d: '<', text: line.prints};
    return {t, d: '#', e: 'exit', code: 0, signal: null, asked: true};
  });
}
