import {runProgram} from '../../../support/program/run-program.ts';
import {AGENT, testWays, untilStarted, WAYS} from './agents.ts';
import {attached, type Place} from './place.ts';

testWays(WAYS.background, {
  '`-b`': (place, option) => inBackground(place, 'go', ...AGENT, ...option),
  '`-b -c`': (place, option) => inBackground(place, 'go', '-c', ...option),
  async '`/restart` in `acp-tui attach`, after its service has ended'(place, option) {
    await program(place, '-b', 'go', ...AGENT, ...option);
    await untilStarted(place);
    const chat = await attached(place);
    await program(place, 'service', 'stop');
    await chat.sees('This session has ended: /restart opens it again');
    place.forget();
    chat.type('/restart\r');
    await untilStarted(place);
    await program(place, 'service', 'stop');
  },
});

const program = ({cwd, env}: Place, ...args: string[]) => runProgram(args, {cwd, env, input: ''});

/** Runs a command and stops the service that it has started. */
async function inBackground(place: Place, ...args: string[]): Promise<void> {
  await program(place, '-b', ...args);
  await untilStarted(place);
  await program(place, 'service', 'stop');
}
