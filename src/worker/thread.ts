import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import type {TaskName} from './tasks.ts';

/** A thread that runs one task at a time. */
export interface Thread {
  readonly post: (name: TaskName, input: unknown) => void;
  /** Returns the output of the current task, waiting for it at most so many milliseconds; `onOutput` is then not called. */
  readonly wait: (milliseconds: number) => {readonly output: unknown} | undefined;
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

/** The data that a thread gets: where tasks arrive and answers go, and a counter of answers, on which this thread can wait. */
export interface ThreadData {
  readonly port: MessagePort;
  readonly answers: Int32Array;
}

interface Answer {
  readonly output: unknown;
}

/** Starts a thread for tasks. It keeps the process running only while it has one. */
export const startThread: StartThread = ({onReady, onOutput, onEnd}) => {
  const {port1: port, port2} = new MessageChannel();
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadData = {port: port2, answers};
  const worker = new Worker(ENTRY, {
    workerData,
    transferList: [port2],
    resourceLimits: MAX_MEMORY,
    execArgv: [],
  });
  worker.once('error', onEnd);
  worker.once('exit', onEnd);
  port.once('message', () => {
    port.on('message', (answer: Answer) => {
      port.unref();
      onOutput(answer.output);
    });
    port.unref();
    onReady();
  });
  worker.unref();
  return {
    post(name, input) {
      port.ref();
      port.postMessage({name, input});
    },
    wait(milliseconds) {
      const answer = receive(milliseconds);
      if (answer !== undefined) port.unref();
      return answer;
    },
    end() {
      port.close();
      void worker.terminate();
    },
  };

  function receive(milliseconds: number): Answer | undefined {
    const end = performance.now() + milliseconds;
    for (;;) {
      const seen = Atomics.load(answers, 0);
      const received = receiveMessageOnPort(port);
      if (received !== undefined) return received.message as Answer;
      const left = end - performance.now();
      if (left <= 0) return undefined;
      Atomics.wait(answers, 0, seen, left);
    }
  }
};
