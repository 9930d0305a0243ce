process.stdout.write('acp-tui\n');
