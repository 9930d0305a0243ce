import {READY, runCommand, selectHighlighted} from '../../../support/driver/chat.ts';
import {endProcesses} from '../../../support/driver/processes.ts';
import {testWays, untilStarted, WAYS} from './agents.ts';
import {openWindowThere} from './place.ts';

testWays(WAYS.windows, {
  'a window': (place, option) => openWindowThere(place, option, 'spy'),
  async '`/restart`'(place, option) {
    const chat = await openWindowThere(place, option, 'spy');
    place.forget();
    await runCommand(chat, '/restart');
    await untilStarted(place);
    await chat.sees(READY);
  },
  async '"Restart the agent", after it has died'(place, option) {
    const chat = await openWindowThere(place, option, 'spy');
    endProcesses(place.home);
    await chat.sees('❯ Restart the agent');
    place.forget();
    await selectHighlighted(chat, '❯ Restart the agent');
    await untilStarted(place);
    await chat.sees(READY);
  },
  async 'another agent in a window, by `/agents`'(place, option) {
    const chat = await openWindowThere(place, option, 'demo');
    await runCommand(chat, '/agents');
    await chat.sees('❯ spy');
    chat.press('enter');
    await untilStarted(place);
    await chat.sees(READY);
  },
});
