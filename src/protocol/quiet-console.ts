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

/** Redirects the console to the log: the SDK writes to it, and the terminal is used by the screen. Returns a function that undoes it. */
export function quietConsole(log: Log): () => void {
  const target = globalThis.console;
  const before = {...target};
  for (const [method, level] of Object.entries(METHODS) as [keyof typeof METHODS, LogLevel][])
    target[method] = (...args: unknown[]) =>
      log(level, formatWithOptions({colors: false, breakLength: Infinity}, ...args));
  return () => void Object.assign(target, before);
}
