/** Reads what is pasted into its terminal and does nothing with it: the part of a paste's cost that no program can avoid. */
process.stdin.setRawMode(true);
process.stdin.on('data', (chunk) => {
  if (chunk.includes('\x1b[201~')) process.stdout.write('taken\r\n');
  if (chunk.includes('\x03')) process.exit();
});
process.stdout.write('reading\r\n');
