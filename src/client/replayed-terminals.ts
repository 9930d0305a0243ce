import {methodOf, type Message} from '../recording/exchanges.ts';
import type {ReplayedEvent} from './replayed-events.ts';

/**
 * What the answers to requests about terminals tell of them: the recording has no more of what commands printed than the agent
 * asked for.
 */
export function replayedTerminals(): (request: Message, result: Message) => readonly ReplayedEvent[] {
  const printed = new Map<string, string>();

  function output(terminalId: string, text: string): readonly ReplayedEvent[] {
    const before = printed.get(terminalId) ?? '';
    printed.set(terminalId, text);
    // Where the beginning was cut off meanwhile, it is all told again.
    const data = text.startsWith(before) ? text.slice(before.length) : text;
    return data === '' ? [] : [{type: 'terminal_output', terminalId, data}];
  }

  function exited(terminalId: string, exit: unknown): readonly ReplayedEvent[] {
    if (typeof exit !== 'object' || exit === null) return [];
    const {exitCode, signal} = exit as {exitCode?: number | null; signal?: string | null};
    if (exitCode === undefined && signal === undefined) return [];
    return [{type: 'terminal_exited', terminalId, exit: {code: exitCode ?? null, signal: signal ?? null}}];
  }

  return (request, result) => {
    const params = (request['params'] ?? {}) as Message;
    const terminalId = String(params['terminalId'] ?? result['terminalId']);
    switch (methodOf(request)) {
      case 'terminal/create': {
        const args = Array.isArray(params['args']) ? params['args'].map(String) : [];
        const command = [String(params['command']), ...args].join(' ');
        return result['terminalId'] === undefined
          ? []
          : [{type: 'terminal_created', terminalId, command, cwd: textOf(params['cwd']), pty: false}];
      }
      case 'terminal/output':
        return [...output(terminalId, textOf(result['output'])), ...exited(terminalId, result['exitStatus'])];
      case 'terminal/wait_for_exit':
        return exited(terminalId, result);
      case 'terminal/release':
        return [{type: 'terminal_released', terminalId}];
      default:
        return [];
    }
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
