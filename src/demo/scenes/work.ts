import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Scene} from './scene.ts';

const STEPS = ['Look at the problem', 'Try the simple way first', 'Check that it works', 'Clean up'];

export const work: Scene = {
  name: 'work',
  description: 'A plan that proceeds step by step',
  async play(stage) {
    await stage.think('A plan with four steps is enough to show how one proceeds.');
    for (let done = 0; done <= STEPS.length; done++) {
      await stage.plan(STEPS.map((content, index) => planEntry(content, index - done)));
      await stage.pause(500);
    }
    await stage.say('All four steps are done.\n');
  },
};

/** Steps before the current one are done, the current one runs, the rest wait. */
function planEntry(content: string, distance: number): acp.PlanEntry {
  const status = distance < 0 ? 'completed' : distance === 0 ? 'in_progress' : 'pending';
  return {content, status, priority: distance > 1 ? 'low' : 'medium'};
}
