import {AGENT, testWays, untilStarted, WAYS} from './agents.ts';
import {attachWindow, openServiceThere, program} from './place.ts';

testWays(WAYS.attached, {
  async '`/restart` in `acp-tui attach`, after its service has ended'(place, option) {
    await openServiceThere(place);
    await program(place, '-b', 'go', ...AGENT, ...option);
    await untilStarted(place);
    const chat = await attachWindow(place);
    await program(place, 'service', 'stop');
    await chat.sees('This session has ended: /restart opens it again');
    place.forget();
    await openServiceThere(place);
    chat.type('/restart\r');
    await untilStarted(place);
    await program(place, 'service', 'stop');
  },
});
