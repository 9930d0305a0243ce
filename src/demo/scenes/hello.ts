import type {Scene} from './scene.ts';

export const hello: Scene = {
  name: 'hello',
  description: 'What it answers to everything that is no command',
  async play(stage, prompt) {
    await stage.think('The user wrote something that is not one of my commands. I should say what I am.');
    const words = prompt.trim().split(/\s+/).filter(Boolean).length;
    const heard = words === 0 ? 'nothing' : `${words} ${words === 1 ? 'word' : 'words'}`;
    await stage.say(
      `I am the **demo agent** that comes with acp-tui. There is no model behind me: my answers are scripted, I work offline, ` +
        `and I cannot understand what you wrote (I counted ${heard}).\n\n` +
        'What I can do is show how acp-tui works with an agent:\n\n' +
        '- `/tour` walks through everything in a minute\n' +
        '- `/markdown`, `/work`, `/read`, `/edit`, `/run`, `/form`, `/link` and `/slow` show one thing each\n\n' +
        'To talk to a real agent, leave with Ctrl+C twice and start `acp-tui --agent "<its command>"`.\n',
    );
  },
};
