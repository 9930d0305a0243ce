/**
 * Sets the terminal to raw mode, and again whenever this process is continued while it should be: a shell that had the terminal meanwhile has unset it, and Node,
 * which believes that it is set, would not set it again.
 */
export function takeTerminal(): void {
  process.stdin.setRawMode(true);
  if (process.platform !== 'win32') process.off('SIGCONT', keepRaw).on('SIGCONT', keepRaw);
}

function keepRaw(): void {
  const {stdin} = process;
  if (!stdin.isRaw) return;
  stdin.setRawMode(false);
  stdin.setRawMode(true);
}
