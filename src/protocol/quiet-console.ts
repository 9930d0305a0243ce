import {formatWithOptions} from 'node:util';
import type {LogLevel} from '../shared/log-level.ts';
import type {Log} from './transport.ts';

const METHODS: Readonly<Record<'log' | 'info' | 'debug' | 'warn' | 'error', LogLevel>> = {
  log: 'info',
  info: 'info',
  debug: 'debug',
  warn: 'warn',
  error: 'error',
};

/** Sends the console to the log: the SDK writes there, and the terminal belongs to the screen. Returns the way back. */
export function quietConsole(log: Log): () => void {
  const target = globalThis.console;
  const before = {...target};
  for (const [method, level] of Object.entries(METHODS) as [keyof typeof METHODS, LogLevel][])
    target[method] = (...args: unknown[]) =>
      log(level, formatWithOptions({colors: false, breakLength: Infinity}, ...args));
  return () => void Object.assign(target, before);
}
