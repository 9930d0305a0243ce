import {runCommand} from '../../../support/driver/chat.ts';
import {testWays, untilStarted, WAYS} from './agents.ts';
import {openWindowThere, storedId, type Place} from './place.ts';

testWays(WAYS.resumed, {
  'a window with `-c`': (place, option) => openWindowThere(place, ['-c', ...option]),
  'a window with `-r`': (place, option) => openWindowThere(place, ['-r', storedId(place), ...option]),
  'a window with `-c --fork`': (place, option) => openWindowThere(place, ['-c', '--fork', ...option]),
  "a session of the list in another agent's window": listedIn('demo'),
  'a session of the list in a window of its agent': listedIn('spy'),
});

function listedIn(agent: string) {
  return async (place: Place, option: readonly string[]) => {
    const chat = await openWindowThere(place, option, agent);
    place.forget();
    await runCommand(chat, '/resume');
    // Runs of print mode are hidden.
    await chat.sees('Ctrl+R show');
    chat.press('ctrl+r');
    await chat.sees('❯ go');
    chat.press('enter');
    await untilStarted(place);
  };
}
