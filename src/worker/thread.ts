import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import type {TaskName} from './tasks.ts';

/** A thread that runs one task at a time. */
export interface Thread {
  readonly post: (name: TaskName, input: unknown) => void;
  /** Returns the output of the current task if it has been received; `onOutput` is then not called. */
  readonly received: () => {readonly output: unknown} | undefined;
  readonly end: () => void;
}

interface ThreadEvents {
  readonly onReady: () => void;
  readonly onOutput: (output: unknown) => void;
  /** Called once if it ends by itself. */
  readonly onEnd: () => void;
}

export type StartThread = (events: ThreadEvents) => Thread;

/** In the bundle, the thread is a file of its own. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './text-worker.js', import.meta.url);

/** A text that needs more memory ends the thread, not the program. */
const MAX_MEMORY = {maxOldGenerationSizeMb: 512};

/** The data that a thread gets: where tasks arrive and answers go. */
export interface ThreadData {
  readonly port: MessagePort;
}

interface Answer {
  readonly output: unknown;
}

/** Starts a thread for tasks. It keeps the process running only while it has one. */
export const startThread: StartThread = ({onReady, onOutput, onEnd}) => {
  const {port1: port, port2} = new MessageChannel();
  const workerData: ThreadData = {port: port2};
  const worker = new Worker(ENTRY, {
    workerData,
    transferList: [port2],
    resourceLimits: MAX_MEMORY,
    execArgv: [],
  });
  let tasks = 0;
  const answered = () => {
    tasks--;
    if (tasks === 0) port.unref();
  };
  worker.once('error', onEnd);
  worker.once('exit', onEnd);
  port.once('message', () => {
    port.on('message', (answer: Answer) => {
      answered();
      onOutput(answer.output);
    });
    port.unref();
    onReady();
  });
  worker.unref();
  return {
    post(name, input) {
      tasks++;
      port.ref();
      port.postMessage({name, input});
    },
    received() {
      const answer = receiveMessageOnPort(port);
      if (answer === undefined) return undefined;
      answered();
      return answer.message as Answer;
    },
    end() {
      port.close();
      void worker.terminate();
    },
  };
};
