import {runCommand, say} from '../../../support/driver/chat.ts';
import {AGENT, testWays, untilStarted, WAYS} from './agents.ts';
import {openServiceThere, openWindowThere, program, storedId, type Place} from './place.ts';

testWays(WAYS.background, {
  '`-b`': (place, option) => inBackground(place, 'go', ...AGENT, ...option),
  '`-b -c`': (place, option) => inBackground(place, 'go', '-c', ...option),
  '`-b -r`': (place, option) => inBackground(place, 'go', '-r', storedId(place), ...option),
  async '`/detach`, a session that goes on in the background'(place, option) {
    await openServiceThere(place);
    const chat = await openWindowThere(place, option, 'spy');
    await say(chat, 'go');
    place.forget();
    await runCommand(chat, '/detach');
    await chat.ended();
    await untilStarted(place);
    await program(place, 'service', 'stop');
  },
});

/** Runs a command and stops the service. */
async function inBackground(place: Place, ...args: string[]): Promise<void> {
  await openServiceThere(place);
  await program(place, '-b', ...args);
  await untilStarted(place);
  await program(place, 'service', 'stop');
}
