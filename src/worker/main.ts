import {workerData} from 'node:worker_threads';
import {runTask, type TaskName} from './tasks.ts';
import type {ThreadData} from './thread.ts';

/** The thread itself: runs each task that arrives. */
const {port} = workerData as ThreadData;

port.on('message', ({name, input}: {readonly name: TaskName; readonly input: unknown}) => {
  port.postMessage({output: runTask(name, input)});
});
// It is ready.
port.postMessage({output: undefined});
