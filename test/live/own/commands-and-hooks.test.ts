import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {answer, ask, chatIn, homeWith, NOTES, printOnceWith, say} from '../real-agent.ts';

function write(home: string, name: string, text: string): void {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, text);
}

const hooks = (event: string, matcher: string, command: string) => ({
  hooks: {[event]: [{matcher, hooks: [{type: 'command', command}]}]},
});

describe.each(['claude', 'codex'] as const)('with %s', (name) => {
  // Codex asks before it writes in this mode.
  const asking = name === 'codex' ? ['--mode', 'read-only'] : [];

  test('a command of the user sends the output of a command, and a file', async () => {
    const home = homeWith({});
    write(
      home,
      '.config/acp-tui/commands/try.md',
      'Please $1. It prints !`echo a$((1 + 1))b`, see @notes.md',
    );
    const chat = await chatIn(home, name, '--approve', 'all');
    await ask(chat, '/try "say hello"', 'Hello from the mock model.');
    expect(chat.history()).toContain('Please say hello. It prints a2b');
  });

  test('a command of a project for Claude Code is used as it stands, once its file was shown', async () => {
    const home = homeWith({otherCommands: 'on'});
    const file = '---\ndescription: Greet\nallowed-tools: Bash(*)\n---\n\nPlease $ARGUMENTS.';
    write(home, 'project/.claude/commands/greet.md', file);
    const chat = await chatIn(home, name);
    say(chat, '/greet say hello');
    await chat.sees('Use the command /greet of this folder?', 60);
    await chat.sees('Please $ARGUMENTS.');
    await answer(chat, /^Trust/);
    await chat.hasSeen('Hello from the mock model.', 60);
  });

  test('a hook formats what was written', async () => {
    const format = hooks('PostToolUse', 'Edit|Write', 'sed -i s/line/LINE/ "$ACP_TUI_FILE"');
    const {cwd, exitCode} = await printOnceWith(name, format, '--approve', 'all', 'write file');
    expect(exitCode).toBe(0);
    const written = readFileSync(path.join(cwd, 'lab-notes.md'), 'utf8');
    expect(written).toBe(NOTES.replaceAll('line', 'LINE'));
  });

  test('a hook denies a change that the level allows', async () => {
    const deny = hooks('PermissionRequest', 'Edit|Write', 'echo Not today. >&2; exit 2');
    const {cwd, stderr} = await printOnceWith(name, deny, ...asking, '--approve', 'all', 'write file');
    expect(existsSync(path.join(cwd, 'lab-notes.md'))).toBe(false);
    expect(stderr).toContain('hook: echo Not today.');
  });
});
