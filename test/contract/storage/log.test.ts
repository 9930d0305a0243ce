import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createLog, type LogOptions} from '../../../src/storage/log.ts';
import {createMask} from '../../../src/shared/mask.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

function log(options: Partial<LogOptions> = {}) {
  const file = options.file ?? join(temporaryFolder(), 'state', 'acp-tui.log');
  const made = createLog({file, level: 'info', env: {}, now: () => 0, ...options});
  return {...made, file, text: () => readFileSync(file, 'utf8')};
}

describe('the log', () => {
  test('has one line per message, with time, process and level', () => {
    const {write, flush, text} = log();
    write('warn', 'first\nsecond\t\u001b[31m');
    flush();
    expect(text()).toBe(`1970-01-01T00:00:00.000Z ${process.pid} warn first\\nsecond\\t\\u001b[31m\n`);
  });

  test('omits messages below its level', () => {
    const {write, flush, text} = log({level: 'warn'});
    for (const level of ['debug', 'info', 'warn', 'error'] as const) write(level, level);
    flush();
    expect(text().match(/\w+$/gm)).toEqual(['warn', 'error']);
  });

  test('is not created before the first message, and then private', () => {
    const {write, flush, file} = log();
    flush();
    expect(existsSync(file)).toBe(false);
    write('info', 'x');
    flush();
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('is rotated when full, even while another process writes to it', () => {
    const one = log({maxBytes: 200});
    const other = log({maxBytes: 200, file: one.file});
    const say = (who: typeof one, message: string) => {
      who.write('info', message);
      who.flush();
    };
    say(other, 'other 1');
    say(one, 'x'.repeat(300));
    say(one, 'one 2');
    say(other, 'other 2');
    expect(one.text()).toMatch(/one 2\n.*other 2\n$/);
    expect(readFileSync(`${one.file}.1`, 'utf8')).toMatch(/other 1\n.*xxx\n$/);
  });

  test('cannot make the program fail', () => {
    const {write, flush} = log({file: '/dev/null/log'});
    write('error', 'x');
    expect(() => flush()).not.toThrow();
  });
});

describe('credentials', () => {
  const mask = createMask({MY_TOKEN: 'hunter2hunter2', HOME: '/home/somebody', SHORT_KEY: 'abc'});
  test.each([
    ['by the value of a variable', 'sent hunter2hunter2 over', 'sent [masked] over'],
    ['in JSON', '{"apiKey":"abc def","x":1}', '{"apiKey":"[masked]","x":1}'],
    ['in JSON inside a string', '{\\"api_key\\":\\"abc\\"}', '{\\"api_key\\":\\"[masked]\\"}'],
    ['in an assignment', 'OPENAI_API_KEY=abc-123 npm test', 'OPENAI_API_KEY=[masked] npm test'],
    ['in an option', '--github-token=abc next', '--github-token=[masked] next'],
    ['in a header', 'Authorization: Bearer abcdefgh12345', 'Authorization: [masked] [masked]'],
    ['in a URL', 'https://user:pass@example.org/x', 'https://user:[masked]@example.org/x'],
    ['of a known service', 'key ghp_0123456789abcdefghij!', 'key [masked]!'],
    ['as a private key', 'a -----BEGIN RSA PRIVATE KEY-----\nabc', 'a [masked]'],
    ['not in text without any', 'the token limit of /home/somebody is high', undefined],
  ])('are masked %s', (_name, text, masked) => {
    expect(mask(text)).toBe(masked ?? text);
  });
});
