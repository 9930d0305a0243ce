import {downloadText} from '../../../src/download/download.ts';

/** Fetches its argument and prints the result, in a separate process, since Node loads its certificate authorities at startup. */
const result = await downloadText(process.argv[2] ?? '', {limitBytes: 1024});
process.stdout.write(JSON.stringify(result));
