import {constants} from 'node:os';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {processIo} from '../../../../src/modes/print/io.ts';
import {watchExitSignals} from '../../../../src/modes/start/shutdown.ts';
import {addedListeners, lendProcess} from '../../../support/driver/lend-process.ts';

/** Those that end a program by default, and exist on this system. */
const SIGNALS = (
  [
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGTRAP',
    'SIGABRT',
    'SIGUSR1',
    'SIGUSR2',
    'SIGALRM',
    'SIGTERM',
    'SIGXCPU',
    'SIGVTALRM',
    'SIGIO',
    'SIGPWR',
    'SIGSYS',
  ] as const
).filter((name) => name in constants.signals);

/** What listens to a signal, once `listen` has been called. */
function listenersTo(signal: NodeJS.Signals, listen: () => void) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const takeBack = lendProcess({cwd: process.cwd(), env: process.env, args: [], stdin, stdout, stderr});
  onTestFinished(takeBack);
  listen();
  return addedListeners().filter(({event}) => event === signal);
}

test.each(SIGNALS)('%s ends a window with 128 and its number', async (signal) => {
  let wanted: Promise<number> | undefined;
  const [listening, ...others] = listenersTo(signal, () => {
    ({wanted} = watchExitSignals({killNow() {}, log() {}}));
  });
  listening?.listener();
  expect(await wanted).toBe(128 + constants.signals[signal]);
  expect(others).toEqual([]);
});

test.each(SIGNALS)('%s is noticed by print mode until it has ended', (signal) => {
  const noticed: unknown[] = [];
  let stop = () => {};
  const [listening] = listenersTo(signal, () => {
    stop = processIo(() => undefined).onSignal(() => void noticed.push(signal));
  });
  listening?.listener();
  expect(noticed).toEqual([signal]);
  stop();
  expect(addedListeners().filter(({event}) => event === signal)).toEqual([]);
});
