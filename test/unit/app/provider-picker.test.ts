import {expect, test} from 'vitest';
import {providerPicker} from '../../../src/app/pickers/setting-pickers.ts';

const provider = {providerId: 'main', supported: ['anthropic', 'bedrock'], required: true};

test('a provider has its API, its URL and whether it is required', () => {
  const current = {apiType: 'anthropic', baseUrl: 'https://api.example/v1'};
  expect(providerPicker([{...provider, current}]).items).toMatchObject([
    {id: 'main', label: 'main', description: 'anthropic · https://api.example/v1 · required · also bedrock'},
  ]);
});

test.each([null, undefined])('one whose configuration is %s is disabled', (current) => {
  const [item] = providerPicker([{...provider, required: false, ...(current === null && {current})}]).items;
  expect(item?.description).toBe('disabled · anthropic, bedrock');
});

test('credentials in a URL are not shown, nor control characters', () => {
  const current = {apiType: 'x', baseUrl: 'https://user:sesame@api.example/\u001b[2J'};
  const [item] = providerPicker([{...provider, providerId: 'ma\u001b]0;in', current}]).items;
  expect(`${item?.label} ${item?.description}`).not.toMatch(/sesame|\u001b/);
  expect(item?.description).toContain('https://…@api.example/');
});

test('an agent without providers says so', () => {
  expect(providerPicker([]).items).toMatchObject([{label: 'None', disabled: expect.any(String)}]);
});
