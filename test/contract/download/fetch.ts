import {downloadText} from '../../../src/download/download.ts';

/** Fetches its argument and prints the result: a process of its own, since Node reads what to trust when it starts. */
const result = await downloadText(process.argv[2] ?? '', {limitBytes: 1024});
process.stdout.write(JSON.stringify(result));
