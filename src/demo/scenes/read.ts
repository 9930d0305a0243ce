import {readFile} from '../tools.ts';
import {argumentOf, type Scene} from './scene.ts';

export const read: Scene = {
  name: 'read',
  description: 'Reads a file through the client',
  hint: 'file (default: README.md)',
  async play(stage, prompt) {
    const name = argumentOf(prompt) || 'README.md';
    const content = await readFile(stage, name);
    if (content === undefined) await stage.say(`I could not read \`${name}\`.\n`);
    else
      await stage.say(
        `\`${name}\` has ${content.length} characters. Its first line is:\n\n> ${content.split('\n')[0] ?? ''}\n`,
      );
  },
};
