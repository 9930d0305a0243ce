import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {TerminalDriver} from '../test/pty/driver/terminal.ts';

/** Draws the README's picture from a real run of the built program with the demo agent: `npm run picture`. */
const at = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 'acp-tui-picture-'));
const cwd = path.join(home, 'project');
mkdirSync(cwd);
writeFileSync(
  path.join(cwd, 'notes.md'),
  '# Notes\n\nThe demo agent wrote this file.\nIt has a few lines.\n',
);
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
  ACP_TUI_DEMO_PACE: '0.2',
};
const terminal = new TerminalDriver(process.execPath, [at('../bin/acp-tui.js'), '--agent', 'demo'], {
  cwd,
  env,
  columns: 100,
  rows: 43,
});
await terminal.sees('Demo small');
terminal.type('/run');
terminal.press('enter');
await allow('1. Allow once');
await terminal.sees('The command printed');
terminal.type('/edit');
terminal.press('enter');
await allow('new file');
await terminal.sees('four lines');
await terminal.sees('Enter or number select');
writeFileSync(at('../docs/session.svg'), terminal.picture());
await terminal.dispose();
rmSync(home, {recursive: true, force: true});
process.exit(0);

/** Allows the request that shows `text`. */
async function allow(text: string): Promise<void> {
  await terminal.sees(text);
  await terminal.sees('Enter or number select');
  // A request that takes the focus by itself sends early keys to the prompt; one that is given the focus does not.
  terminal.press('escape');
  await terminal.sees('Tab answer');
  terminal.press('tab');
  await terminal.sees('Enter or number select');
  await terminal.typeWhileItSees('1', 'Enter or number select');
}
