import {loadRecording} from '../../../storage/recordings/load-recording.ts';
import {findingsIn} from '../../../protocol/wire-findings.ts';
import {exchangesOf} from '../../../recording/exchanges.ts';
import {openSubcommandIo, printFailure} from '../../../cli/terminal-io.ts';
import {dataOf, filterExchanges, tableOf} from '../../../recording/describe.ts';
import type {InspectOptions} from '../../../cli/recording-options.ts';
import {jsonText} from '../../../text/json.ts';

/** Prints the contents of a recording; resolves to the exit code. */
export async function inspectRun({file, words, form}: InspectOptions): Promise<number> {
  const io = openSubcommandIo();
  const loaded = loadRecording(file);
  if (!loaded.ok) return io.end(printFailure(io.stderr, loaded.failure, 2));
  const {lines, unreadable} = loaded.value;
  if (unreadable > 0) io.warn(`${unreadable} unreadable lines of ${file} skipped.`);
  const exchanges = exchangesOf(lines);
  const findingsOf = findingsIn(exchanges);
  const shown = filterExchanges(exchanges, words, findingsOf);
  const rows =
    form === 'json'
      ? shown.map((exchange) => jsonText(dataOf(exchange, findingsOf(exchange)), 0))
      : tableOf(shown, findingsOf);
  io.stdout.write(rows.map((row) => `${row}\n`).join(''));
  return io.end(0);
}
