import {readFile, writeFile} from '../tools.ts';
import {argumentOf, type Scene} from './scene.ts';

const FIRST = `# Notes

The demo agent wrote this file.
It has a few lines,
so that a change can be seen.
`;

export const edit: Scene = {
  name: 'edit',
  description: 'Writes a file and changes a line of it, asking first',
  hint: 'file (default: acp-tui-demo.md)',
  async play(stage, prompt) {
    const name = argumentOf(prompt) || 'acp-tui-demo.md';
    await stage.think(`I will write ${name} and then change one line, so that a diff can be seen.`);
    if (!(await writeFile(stage, name, FIRST))) {
      await stage.say('Then I leave the file alone.\n');
      return;
    }
    const content = (await readFile(stage, name)) ?? FIRST;
    const changed = content.replace('a few lines', 'four lines');
    const written = await writeFile(stage, name, changed);
    await stage.say(
      written ? `\`${name}\` is written and changed.\n` : `\`${name}\` stays as I first wrote it.\n`,
    );
  },
};
