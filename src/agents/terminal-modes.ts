import {spawnSync} from 'node:child_process';

/**
 * Notes how the terminal of standard input is set, and returns what sets it so again: a program that is killed leaves it as it
 * was for itself, and that would be taken for how the user has it.
 */
export function keepTerminalModes(): () => void {
  if (process.platform === 'win32') return () => {};
  const modes = stty('-g').trim();
  return () => void (modes === '' || stty(modes));
}

function stty(argument: string): string {
  const {stdout} = spawnSync('stty', [argument], {stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8'});
  return stdout ?? '';
}
