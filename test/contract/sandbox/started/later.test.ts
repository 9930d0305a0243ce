import {runCommand} from '../../../support/driver/chat.ts';
import {testWays, WAYS} from './agents.ts';
import {here, openEditorThere, openWindowThere, storedId, type Place} from './place.ts';

testWays(WAYS.later, {
  async 'all agents of the list, Ctrl+A, each for its sessions'(place, option) {
    const chat = await openWindowThere(place, option, 'demo');
    await runCommand(chat, '/resume');
    await chat.sees('Ctrl+A all agents');
    chat.press('ctrl+a');
    await chat.sees('Spy: 1');
  },
  '`-p -c`': (place, option) => here(place, '-p', 'go', '-c', ...option),
  '`-p -r`': (place, option) => here(place, '-p', 'go', '-r', storedId(place), ...option),
  '`acp-tui acp`, `session/load`': inEditor('session/load'),
  '`acp-tui acp`, `session/resume`': inEditor('session/resume'),
});

function inEditor(method: 'session/load' | 'session/resume') {
  return async (place: Place, option: readonly string[]) => {
    const {agent} = await openEditorThere(place, option);
    const {cwd} = place;
    await agent.request(method, {sessionId: storedId(place), cwd, mcpServers: []});
  };
}
