import {edit} from './edit.ts';
import {form} from './form.ts';
import {markdown} from './markdown.ts';
import {run} from './run.ts';
import type {Scene} from './scene.ts';
import {work} from './work.ts';

const STOPS: readonly (readonly [introduction: string, scene: Scene])[] = [
  ['**1. Answers** stream in as markdown.', markdown],
  ['**2. Plans** stand above the prompt while they are unfinished.', work],
  [
    '**3. Files.** I will now ask to write a file. You see the whole change first; `1` allows it, `3` rejects it, and Esc gives the keyboard back to your prompt.',
    edit,
  ],
  ['**4. Commands** run in a terminal of yours, and only when you allow them.', run],
  ['**5. Forms** let an agent ask back.', form],
];

export const tour: Scene = {
  name: 'tour',
  description: 'A walk through everything, in about a minute',
  async play(stage, prompt) {
    await stage.say(
      'Welcome. I am a scripted demo agent; this tour shows what acp-tui does with a real one.\n\n',
    );
    for (const [introduction, scene] of STOPS) {
      await stage.say(`${introduction}\n\n`);
      await scene.play(stage, prompt.replace(/^\S+/, `/${scene.name}`));
      await stage.say('\n');
    }
    await stage.say(
      'That was the tour. Shift+Tab changes my mode, `/model` my model, `/config` everything else, and `?` on an empty prompt lists the keys.\n',
    );
  },
};
