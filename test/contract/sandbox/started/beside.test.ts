import {READY, runCommand, say} from '../../../support/driver/chat.ts';
import {testWays, untilStarted, WAYS} from './agents.ts';
import {makeRepository, openWindowThere} from './place.ts';

testWays(WAYS.beside, {
  async 'Ctrl+X `n`, another session'(place, option) {
    const chat = await openWindowThere(place, option, 'spy');
    await say(chat, 'go');
    place.forget();
    chat.press('ctrl+x');
    await chat.sees('switch to the open session of that number');
    chat.type('n');
    await untilStarted(place);
  },
  async '`/new --worktree`'(place, option) {
    makeRepository(place);
    const chat = await openWindowThere(place, option, 'spy');
    place.forget();
    await runCommand(chat, '/new --worktree');
    await untilStarted(place);
    await chat.sees(READY);
  },
  async '`/compare`'(place, option) {
    makeRepository(place);
    const chat = await openWindowThere(place, option, 'demo');
    await runCommand(chat, '/compare spy,demo go');
    await untilStarted(place);
  },
  async '`/handoff`'(place, option) {
    const chat = await openWindowThere(place, option, 'demo');
    await say(chat, 'hello');
    await runCommand(chat, '/handoff spy');
    await chat.sees(/❯ The conversation/);
    chat.press('enter');
    await untilStarted(place);
  },
  async 'a prompt on the board'(place, option) {
    const chat = await openWindowThere(place, option, 'spy');
    place.forget();
    chat.press('left');
    await chat.sees('Describe a task');
    chat.type('go\r');
    await untilStarted(place);
  },
});
