import {workerData} from 'node:worker_threads';
import {runTask, type TaskName} from './tasks.ts';
import type {ThreadData} from './thread.ts';

/** The thread itself: runs each task that arrives. */
const {port, answers} = workerData as ThreadData;

function answer(output: unknown): void {
  port.postMessage({output});
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
}

port.on('message', ({name, input}: {readonly name: TaskName; readonly input: unknown}) => {
  answer(runTask(name, input));
});
answer(undefined);
