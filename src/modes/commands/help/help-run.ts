import {spawnSync} from 'node:child_process';
import {openSubcommandIo, type SubcommandIo} from '../../../cli/terminal-io.ts';
import {tableLines} from '../../../cli/table.ts';
import {HELP_PAGES, type HelpCommand} from './help-arguments.ts';
import {helpPage} from './help-page.ts';

/** Runs `acp-tui help …` in this process; resolves to the exit code. A page that is longer than the screen is shown by a pager. */
export async function helpRun({page}: HelpCommand): Promise<number> {
  const io = openSubcommandIo();
  const text = page === undefined ? pageList(io.stdout) : await helpPage(page, io.stdout.columns);
  if (io.stdout.columns === undefined || !showInPager(text)) io.stdout.write(text);
  return io.end(0);
}

function pageList(stdout: SubcommandIo['stdout']): string {
  const columns = [
    {texts: Object.keys(HELP_PAGES), style: stdout.style.bold},
    {texts: Object.values<string>(HELP_PAGES)},
  ];
  const lines = tableLines(columns, stdout).map((line) => `  ${line}\n`);
  return `Pages:\n${lines.join('')}\nacp-tui help PAGE shows one; acp-tui --help shows the options.\n`;
}

/** Shows a text that is longer than the screen in the user's pager, as git does; false if it is not longer, or if there is no pager. */
function showInPager(text: string): boolean {
  const {rows} = process.stdout;
  if (!process.stdin.isTTY || text.split('\n').length < rows) return false;
  // Ctrl+C is the pager's.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const pager = process.env['PAGER'] || 'less';
  const env = {LESS: 'FRX', ...process.env};
  const {status} = spawnSync(pager, {shell: true, env, input: text, stdio: ['pipe', 'inherit', 'inherit']});
  process.off('SIGINT', ignore);
  // The shell found no such program, or could not run it.
  return status !== null && status !== 127 && status !== 126;
}
