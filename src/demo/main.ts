process.stderr.write('demo agent\n');
