import type {Scene} from './scene.ts';

export const slow: Scene = {
  name: 'slow',
  description: 'A long answer, to try cancelling and queueing',
  async play(stage) {
    for (let line = 1; line <= 60; line++) {
      await stage.say(
        `${line}. This answer goes on for a while. Press Esc to cancel it, or type the next prompt meanwhile.\n`,
      );
      await stage.pause(150);
    }
  },
};
