import {endOfText} from '../../text/truncate.ts';
import type {ToolCallEntry} from '../entries.ts';
import {resultText} from '../labels/result-text.ts';
import {plainResult} from '../labels/result-rows.ts';
import type {SessionState} from '../state.ts';
import {textOfPart} from './content.ts';

/** How programs report a write that a sandbox refuses; the second is that of macOS. */
const REFUSED = String.raw`(?:read-only file system|operation not permitted)`;
const QUOTE = '[\'"`‘’“”]';
const QUOTED = `${QUOTE}(/[^\\n'"\`‘’“”]+)${QUOTE}`;
const HOW_IT_IS_NAMED = [
  // touch: cannot touch '/etc/x': Read-only file system
  `${QUOTED}(?: failed)?[: (]+${REFUSED}`,
  // sh: 1: cannot create /etc/x: Read-only file system
  String.raw`(?:^|[ (=])(/[^\s:'"]+)(?: failed)?[: (]+${REFUSED}`,
  // EROFS: read-only file system, rename '/a' -> '/etc/x'
  `${REFUSED}[^\\n'"\`‘“/]*${QUOTED}(?: -> ${QUOTED})?`,
].map((pattern) => new RegExp(pattern, 'i'));

/** In UTF-16 units: of the end of each output, and of a line in it. */
const MAX_OUTPUT = 64 * 1024;
const MAX_LINE = 1000;
/** How many paths are named. */
const MAX_PATHS = 3;

/** Calls whose output is what other programs or files say. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'think']);

/** Temporary folders that are a sandbox's own, and what is no file. */
const NOT_OUTSIDE = ['/tmp', '/var/tmp', '/dev', '/proc'];

type EndedCall = Pick<ToolCallEntry, 'kind' | 'status' | 'content' | 'rawOutput'>;

/** Returns an ended call with the paths outside of its sandbox that its output says could not be written. */
export function withRefusedWrites<Call extends EndedCall>(
  call: Call,
  {sandbox, terminals}: Pick<SessionState, 'sandbox' | 'terminals'>,
): Call {
  if (!sandbox || (ABOUT_OTHERS.has(call.kind) && call.status !== 'failed')) return call;
  const outputs = call.content.map((part) => {
    if (part.type === 'terminal') return terminals.get(part.terminalId)?.output ?? '';
    return textOfPart(part) ?? '';
  });
  const paths = refusedWrites([...outputs, resultText(call)], sandbox.writable);
  return paths.length === 0 ? call : {...call, refusedWrites: paths};
}

/** Returns the paths outside that outputs say could not be written. */
export function refusedWrites(outputs: readonly string[], writable: readonly string[]): readonly string[] {
  const inside = [...writable, ...NOT_OUTSIDE].map((folder) => folder.replace(/\/$/, ''));
  const isOutside = (path: string) =>
    inside.every((folder) => path !== folder && !path.startsWith(`${folder}/`));
  return [...new Set(outputs.flatMap(namedIn).filter(isOutside))].slice(0, MAX_PATHS);
}

function namedIn(output: string): readonly string[] {
  const end = endOfText(output, MAX_OUTPUT);
  if (!new RegExp(REFUSED, 'i').test(end)) return [];
  return end.split('\n').flatMap((line) => {
    const plain = plainResult(line.slice(0, MAX_LINE));
    const [, ...paths] = HOW_IT_IS_NAMED.map((named) => named.exec(plain)).find(Boolean) ?? [];
    return paths.filter((path) => path !== undefined);
  });
}
