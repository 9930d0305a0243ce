import {runCommand} from '../../../support/driver/chat.ts';
import {testWays, untilStarted, WAYS} from './agents.ts';
import {openWindowThere, storedId} from './place.ts';

testWays(WAYS.resumed, {
  'a window with `-c`': (place, option) => openWindowThere(place, ['-c', ...option]),
  'a window with `-r`': (place, option) => openWindowThere(place, ['-r', storedId(place), ...option]),
  async "a session of the list in another agent's window"(place, option) {
    const chat = await openWindowThere(place, option, 'demo');
    await runCommand(chat, '/resume');
    // Runs of print mode are hidden.
    await chat.sees('Ctrl+R show');
    chat.press('ctrl+r');
    await chat.sees('❯ go');
    chat.press('enter');
    await untilStarted(place);
  },
});
