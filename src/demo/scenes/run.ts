import {runCommand} from '../tools.ts';
import {argumentOf, type Scene} from './scene.ts';

/** As slow as all else that the demo agent does. */
const count = (pace: number) =>
  `for i in 1 2 3 4 5; do echo "step $i of 5"; sleep ${0.3 * pace}; done; echo done`;

export const run: Scene = {
  name: 'run',
  description: 'Runs a command through the client, asking first',
  hint: 'command (default: counts to five)',
  async play(stage, prompt) {
    const command = argumentOf(prompt);
    const output = await runCommand(stage, 'sh', ['-c', command || count(stage.pace)]);
    if (output === undefined) await stage.say('The command did not run.\n');
    else await stage.say(`The command printed ${output.split('\n').filter(Boolean).length} lines.\n`);
  },
};
