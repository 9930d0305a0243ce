import type * as tasks from '../../src/worker/tasks.ts';
import {startDrawing, useThreads} from '../../src/worker/background.ts';
import type {StartThread} from '../../src/worker/thread.ts';

/** Runs tasks in this thread, without time limits, so that what is drawn does not depend on the machine. */
export const inProcess: StartThread = ({onReady, onOutput}) => {
  let loaded: typeof tasks | undefined;
  void loadTasks().then((module) => {
    loaded = module;
    onReady();
  });
  return {
    post: (name, input) => onOutput(loaded?.runTask(name, structuredClone(input))),
    received: () => undefined,
    end() {},
  };
};

function loadTasks(): Promise<typeof tasks> {
  return import('../../src/worker/tasks.ts');
}

/** Resolves when Markdown and code are drawn at once. */
export async function drawingReady(): Promise<void> {
  startDrawing();
  await loadTasks();
}

useThreads(inProcess);
