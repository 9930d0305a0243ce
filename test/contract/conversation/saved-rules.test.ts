import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createPermissionRules} from '../../../src/conversation/trust/permission-rules.ts';
import {createForgetfulAudit} from '../../../src/storage/audit.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {openScripted} from './open-conversation.ts';

const modes = {currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({id, name: id}))};

test.each([
  ['a command', 'execute git push*', 'terminal/create', {command: 'git', args: ['push']}],
  ['reading', 'read secret.txt', 'fs/read_text_file', {path: '$cwd/secret.txt'}],
])(
  'a rule that another process saves during a turn denies the next request: %s',
  async (_of, rule, method, params) => {
    const config = temporaryFolder();
    const rules = () => createPermissionRules({config, rules: [], hooks: [], audit: createForgetfulAudit()});
    const request = {ask: 'it', method, params: {sessionId: '$session', ...params}};
    const turns = [[{received: 'session/set_mode'}, request, {answered: 'it'}]];
    const {conversation, cwd, prompt, until, sent, answerTo} = await openScripted(
      {session: {modes}, turns},
      {approval: 'all', permissions: rules().of('fake')},
    );
    writeFileSync(join(cwd, 'secret.txt'), 'hidden');
    prompt('go');
    await until(() => sent().some((message) => message.method === 'session/prompt'), 'a prompt');
    expect(await rules().add({effect: 'deny', text: rule})).toMatchObject({ok: true});
    void conversation.setMode('b');
    expect((await answerTo('it')).error?.message).toContain(rule);
  },
);
