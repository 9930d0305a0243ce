import {expect, test} from 'vitest';
import {says} from '../../service/open-service.ts';
import {openHome, scripted} from './open-editor.ts';

const option = (id: string, values: readonly string[], currentValue = values[0]) => ({
  id,
  name: id,
  category: id,
  type: 'select',
  currentValue,
  options: values.map((value) => ({value, name: value, description: `That is ${value}`})),
});
const options = (mode: string, model: string) => [
  option('mode', ['ask', 'code'], mode),
  option('model', ['small', 'large'], model),
];

test('a setting that the agent or a window changes reaches the editor once', async () => {
  const changed = {update: {sessionUpdate: 'config_option_update', configOptions: options('code', 'small')}};
  const agent = scripted({
    session: {configOptions: options('ask', 'small')},
    results: {'session/set_config_option': {configOptions: options('code', 'large')}},
    turns: [[changed, changed], [says('Done')]],
  });
  const {editor, window} = await openHome();
  const {open, prompt, sent} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  const values = () =>
    sent('config_option_update').map((update) =>
      'configOptions' in update ? update.configOptions.slice(0, 2).map((each) => each.currentValue) : [],
    );
  await prompt(sessionId, 'go');
  expect(values()).toEqual([['code', 'small']]);
  expect(sent('current_mode_update')).toMatchObject([{currentModeId: 'code'}]);
  await (await window(sessionId)).actions.setModel('large');
  await prompt(sessionId, 'again');
  expect(values()).toEqual([
    ['code', 'small'],
    ['code', 'large'],
  ]);
  expect(sent('current_mode_update')).toHaveLength(1);
});
