import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readSettings} from '../../../../src/settings/settings.ts';
import {problemTexts} from '../../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

function read(agents: unknown) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({theme: 'light', agents}));
  return readSettings(folder, {});
}

describe('the settings of agents', () => {
  test('are read with all fields of an agent', () => {
    const agents = {
      mine: {
        command: {command: '/opt/agent', args: ['--acp']},
        env: {KEY: 'value'},
        mode: 'code',
        model: 'small',
        options: {effort: 'low', web: true},
        approve: 'edits',
      },
      other: {command: 'other --acp'},
    };
    expect(read(agents)).toMatchObject({settings: {theme: 'light', agents}, problems: []});
  });

  test('are used one by one: what is invalid is named and hides nothing else', () => {
    const {settings, problems} = read({
      mine: {model: 7, mode: 'code', modle: 'x', env: {'A=B': '1'}},
      'my agent': {},
      '../evil': {},
      other: 'other --acp',
      good: {approve: 'all'},
    });
    expect(settings.agents).toEqual({mine: {mode: 'code'}, good: {approve: 'all'}});
    expect(problemTexts(problems)).toEqual([
      expect.stringMatching(/"agents\.mine\.model" in .*config\.json must be the id of a model, not 7/),
      expect.stringMatching(/"agents\.mine\.modle" .* is not an agent setting/),
      expect.stringMatching(/"agents\.mine\.env" .* must be an object of environment variables/),
      expect.stringMatching(/"agents\.my agent" .* is not a valid agent name/),
      expect.stringMatching(/"agents\.\.\.\/evil" .* is not a valid agent name/),
      expect.stringMatching(/"agents\.other" .* must be an object/),
    ]);
  });

  test('with an invalid command leave an agent that cannot be started, rather than another program', () => {
    expect(read({gemini: {command: 7}}).settings.agents).toEqual({gemini: {command: ''}});
  });

  test('never redefine demo', () => {
    const {settings, problems} = read({demo: {command: 'evil', mode: 'code'}});
    expect(settings.agents).toEqual({demo: {mode: 'code'}});
    expect(problemTexts(problems)).toEqual([expect.stringMatching(/demo is the built-in agent/)]);
  });

  test('may have rules that apply to this agent alone', () => {
    const {rules, problems} = read({mine: {permissions: {deny: ['fetch'], allow: ['agent=x any', 'run']}}});
    expect(rules).toMatchObject([
      {effect: 'deny', source: 'agent', text: 'agent=mine fetch', about: {agent: 'mine', kind: 'fetch'}},
    ]);
    expect(problemTexts(problems)).toEqual([
      expect.stringMatching(/"agents\.mine\.permissions\.allow\[0\]" .*"agent=x any"/),
      expect.stringMatching(/"agents\.mine\.permissions\.allow\[1\]" .*"run"/),
    ]);
  });
});
