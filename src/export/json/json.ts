import {jsonText} from '../../text/json.ts';
import type {SessionDocument} from '../document.ts';
import {EXPORT_KIND, EXPORT_VERSION} from './schema.ts';

/** A session as JSON, from which it can be imported again; the form stands in schema.ts. */
export function writeJson({facts, entries, terminals, masked, exportedAt}: SessionDocument): string {
  const exported = {
    kind: EXPORT_KIND,
    v: EXPORT_VERSION,
    exportedAt,
    masked,
    session: facts,
    entries: entries.map(({...entry}) => ('carry' in entry ? {...entry, carry: undefined} : entry)),
    terminals: Object.values(terminals).map(({id, runBy, command, cwd, output, truncated, screen, exit}) => ({
      id,
      runBy,
      command,
      cwd,
      output,
      truncated,
      screen,
      exit,
    })),
  };
  return `${jsonText(exported, 1)}\n`;
}
