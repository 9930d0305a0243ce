import {readdirSync} from 'node:fs';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {HELP_PAGES, type HelpPage} from '../../../../../src/modes/commands/help/help-arguments.ts';
import {helpPage} from '../../../../../src/modes/commands/help/help-page.ts';
import {parseArguments} from '../../../../../src/modes/parse-arguments.ts';
import {runHere} from '../../../../support/program/run-program.ts';

const pages = Object.keys(HELP_PAGES) as HelpPage[];

test('there is a page for each file of docs/', () => {
  const files = readdirSync(new URL('../../../../../docs/', import.meta.url)).filter((name) =>
    name.endsWith('.md'),
  );
  expect(pages.map((page) => `${page}.md`).toSorted()).toEqual(files.toSorted());
});

test('lists the pages, and prints one as it is without a terminal', async () => {
  const listed = await runHere(['help']);
  for (const page of pages) expect(listed.stdout).toContain(`  ${page} `);
  expect((await runHere(['help', 'mcp'])).stdout).toMatch(/^# MCP servers\n/);
});

test.each(pages)(
  '%s fits into 80 columns of a terminal except for its code, and names no files of docs/',
  async (page) => {
    const text = await helpPage(page, 80);
    const prose = text.split('\n').filter((line) => !line.startsWith('  '));
    expect(prose.filter((line) => stringWidth(line) > 80)).toEqual([]);
    expect(text).not.toMatch(/\]\(|[\w-]+\.md#|\.svg/);
  },
);

describe('after help', () => {
  const parse = (...words: string[]) =>
    parseArguments(['help', ...words], {stdinIsTty: true, stdoutIsTty: true});

  test.each([[['config']], [['config', 'set']], [['sessions', 'list']]])(
    '%j is the help of a subcommand',
    async (words) => {
      const terminal = {stdinIsTty: true, stdoutIsTty: true};
      expect(await parse(...words)).toEqual(await parseArguments([...words, '--help'], terminal));
    },
  );

  test('a page takes no more words', async () => {
    expect(await parse('chat', 'me')).toMatchObject({kind: 'message', exitCode: 2});
  });

  test('a mistyped page is named', async () => {
    const text = 'acp-tui: No page "sandbx". Did you mean: acp-tui help sandbox? See acp-tui help.\n';
    expect(await parse('sandbx')).toEqual({kind: 'message', text, exitCode: 2});
  });

  test.each([[['me']], [['me', 'fix', 'the', 'sandbox']], [['sandbxo', 'please']]])(
    '%j is the rest of a prompt',
    async (words) => {
      expect(await parse(...words)).toMatchObject({
        kind: 'interactive',
        options: {prompt: ['help', ...words].join(' ')},
      });
    },
  );
});
