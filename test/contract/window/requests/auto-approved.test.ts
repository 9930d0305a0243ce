import {expect, test} from 'vitest';
import {untilTurnsEnd} from '../../../support/driver/chat.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';

test('a command allowed by --approve all is shown while it runs, and after the turn, with what allowed it', async () => {
  const chat = await openPuppet({rows: 40, args: ['--approve', 'all']});
  await chat.begin();
  const command = 'echo first; read -r line; echo "got $line"';
  chat.report({request: 'terminal/create', params: {command}, name: 'made'});
  await chat.sees('allowed by --approve all');
  await chat.sees(/^ +│ first$/m);
  chat.report({
    request: 'fs/write_text_file',
    params: {path: `${chat.cwd}/a.txt`, content: 'new\n'},
    name: 'wrote',
  });
  await chat.sees('Write a.txt');
  chat.report({end: 'end_turn'});
  await untilTurnsEnd(chat);
  await expect.poll(() => chat.history().match(/allowed by --approve all/g)).toHaveLength(2);
});
