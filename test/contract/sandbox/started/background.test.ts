import {AGENT, testWays, untilStarted, WAYS} from './agents.ts';
import {openServiceThere, program, type Place} from './place.ts';

testWays(WAYS.background, {
  '`-b`': (place, option) => inBackground(place, 'go', ...AGENT, ...option),
  '`-b -c`': (place, option) => inBackground(place, 'go', '-c', ...option),
});

/** Runs a command and stops the service. */
async function inBackground(place: Place, ...args: string[]): Promise<void> {
  await openServiceThere(place);
  await program(place, '-b', ...args);
  await untilStarted(place);
  await program(place, 'service', 'stop');
}
