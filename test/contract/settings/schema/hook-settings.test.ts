import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createPermissionRules} from '../../../../src/conversation/trust/permission-rules.ts';
import {readSettings} from '../../../../src/settings/settings.ts';
import {problemTexts} from '../../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

function folderWith(hooks: unknown): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({hooks}));
  return folder;
}

const command = (text: string, more = {}) => ({type: 'command', command: text, ...more});
const group = (text: string, matcher?: string) => ({matcher, hooks: [command(text)]});

describe('hooks in the settings', () => {
  test('are read in their order, with what Claude Code has besides', () => {
    const stop = [{hooks: [command('a', {timeout: 5, statusMessage: 'Working'}), command('b')]}];
    const {hooks, problems} = readSettings(
      folderWith({Stop: stop, PostToolUse: [group('c', 'Edit|Write')]}),
      {},
    );
    expect(problems).toEqual([]);
    expect(hooks).toEqual([
      {event: 'Stop', matcher: undefined, command: 'a', seconds: 5, source: 'user'},
      {event: 'Stop', matcher: undefined, command: 'b', seconds: 60, source: 'user'},
      {event: 'PostToolUse', matcher: 'Edit|Write', command: 'c', seconds: 60, source: 'user'},
    ]);
  });

  test.each([
    [
      'of an unknown event',
      {PreToolUse: [group('x')]},
      /"hooks\.PreToolUse" in .*is not a setting.* Did you mean "hooks\.PermissionRequest"\?$/,
    ],
    [
      'of a mistyped event',
      {Notifications: [group('x')]},
      /corrected\. Did you mean "hooks\.Notification"\?$/,
    ],
    [
      'of an event that is like none',
      {PreCompact: [group('x')]},
      /"hooks\.PreCompact" in .*; no agent starts until it is corrected\.$/,
    ],
    [
      'of an event named like a method',
      {constructor: [group('x')]},
      /no agent starts until it is corrected\.$/,
    ],
    [
      'with an invalid pattern',
      {PostToolUse: [group('x', '(')]},
      /"hooks\.PostToolUse" in .*\(wrong: 0\.matcher\)/,
    ],
    ['without a command', {PostToolUse: [{hooks: [{type: 'command'}]}]}, /\(wrong: 0\.hooks\.0\.command\)/],
    [
      'of another type',
      {PostToolUse: [{hooks: [{type: 'prompt', prompt: 'x'}]}]},
      /\(wrong: 0\.hooks\.0\.type\)/,
    ],
    ['that may hang for hours', {PostToolUse: [{hooks: [command('x', {timeout: 9999})]}]}, /timeout\)/],
    ['that are no list', {PostToolUse: 'x'}, /"hooks\.PostToolUse" in .* must be a list such as/],
  ])('%s are named, and the others are there', (_what, given, problem) => {
    const {hooks, problems} = readSettings(folderWith({...given, Stop: [group('kept')]}), {});
    expect(problemTexts(problems)).toEqual([expect.stringMatching(problem)]);
    expect(hooks.map(({command: each}) => each)).toEqual(['kept']);
  });

  test("of a trusted folder are added to the user's there, and a change in the settings applies", () => {
    const config = folderWith({Stop: [group('mine')]});
    const audit = () => ({append: () => undefined, read: () => []});
    const book = createPermissionRules({config, ...readSettings(config, {}), audit});
    const [theirs] = readSettings(folderWith({Stop: [group('theirs')]}), {}).hooks;
    book.useProject({
      folder: '/project',
      rules: [],
      hooks: [theirs!],
      holdIn: (folder) => folder === '/project',
    });
    const commandsIn = (folder: string) => book.hooks(folder).map((hook) => hook.command);
    expect(commandsIn('/project')).toEqual(['mine', 'theirs']);
    expect(commandsIn('/elsewhere')).toEqual(['mine']);
    writeFileSync(join(config, 'config.json'), '{}');
    book.reload();
    expect(commandsIn('/project')).toEqual(['theirs']);
  });
});
