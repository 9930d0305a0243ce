import {realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {failureSentence} from '../../../../src/shared/failure-messages.ts';
import {idle, openScripted, type OpenedConversation} from '../open-conversation.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

function anotherFolder(): string {
  const folder = realpathSync(temporaryFolder());
  return folder;
}

const able = (abilities: object) => ({
  initialize: {agentCapabilities: {sessionCapabilities: {additionalDirectories: {}, ...abilities}}},
});
const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);
const reported = ({state}: OpenedConversation) =>
  state().entries.flatMap((entry) => (entry.type === 'notice' ? entry.text : []));

async function spokenTo(opened: OpenedConversation): Promise<OpenedConversation> {
  opened.prompt('hello');
  await opened.until(idle, 'the end');
  return opened;
}

describe('adding a folder', () => {
  test('resumes the session with all folders and keeps the transcript', async () => {
    const [first, second] = [anotherFolder(), anotherFolder()];
    const opened = await spokenTo(await openScripted(able({resume: {}}), {additionalDirectories: [first]}));
    expect(await opened.conversation.addDirectory(second)).toEqual({ok: true, value: undefined});
    expect(opened.sent().at(-1)).toMatchObject({
      method: 'session/resume',
      params: {sessionId: 'session-1', additionalDirectories: [first, second]},
    });
    expect(opened.state()).toMatchObject({
      connection: {kind: 'ready'},
      sessionId: 'session-1',
      additionalDirectories: [first, second],
    });
    expect(opened.state().entries.get(0)).toMatchObject({type: 'user_message'});
    expect(reported(opened)).toEqual([expect.stringContaining('The agent has been informed.')]);
  });

  test('opens a new session when the current one is empty', async () => {
    const folder = anotherFolder();
    const opened = await openScripted(able({resume: {}}));
    await opened.conversation.addDirectory(folder);
    expect(methods(opened)).toEqual(['initialize', 'session/new', 'session/new']);
    expect(opened.sent().at(-1)?.params).toMatchObject({additionalDirectories: [folder]});
  });

  test.each([
    ['cannot resume', able({}), /next session/],
    ['supports no more folders', {}, /does not support additional folders/],
    [
      'fails to',
      {...able({resume: {}}), errors: {'session/resume': {code: -32_603, message: 'no'}}},
      /next session/,
    ],
  ])('is reported accurately when the agent %s, and the session continues', async (_what, script, why) => {
    const folder = anotherFolder();
    const opened = await spokenTo(await openScripted(script));
    expect(await opened.conversation.addDirectory(folder)).toMatchObject({ok: true});
    expect(opened.state()).toMatchObject({
      connection: {kind: 'ready'},
      sessionId: 'session-1',
      additionalDirectories: [folder],
    });
    expect(reported(opened).at(-1)).toMatch(why);
  });

  test('lets the agent read there through acp-tui from then on', async () => {
    const folder = anotherFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'over there');
    const ask = (id: string) => [
      {ask: id, method: 'fs/read_text_file', params: {sessionId: '$session', path}},
    ];
    const opened = await openScripted({turns: [ask('before'), ask('after')]});
    opened.prompt('read');
    expect(await opened.answerTo('before')).toHaveProperty('error');
    await opened.until(idle, 'the end');
    await opened.conversation.addDirectory(folder);
    opened.prompt('read');
    expect(await opened.answerTo('after')).toMatchObject({result: {content: 'over there'}});
  });

  test.each([
    ['is missing', () => '/nonesuch', /does not exist/],
    ['is a file', () => fileIn(anotherFolder()), /not a folder/],
    ['already exists', (cwd: string) => cwd, /already/],
    ['leads back through a link', (cwd: string) => linkTo(cwd), /already/],
  ])('is rejected when it %s', async (_why, path, reason) => {
    const opened = await openScripted({});
    const added = await opened.conversation.addDirectory(path(opened.cwd));
    expect(added.ok ? '' : failureSentence(added.failure)).toMatch(reason);
    expect(opened.state().additionalDirectories).toEqual([]);
  });
});

function fileIn(folder: string): string {
  writeFileSync(join(folder, 'a.txt'), '');
  return join(folder, 'a.txt');
}

function linkTo(folder: string): string {
  const link = join(anotherFolder(), 'link');
  symlinkSync(folder, link);
  return link;
}
