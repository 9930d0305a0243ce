import type {SessionRow} from '../../../src/app/pickers/listings.ts';

/** A stored session in lists, of which only its name is known. */
export function sessionRow(id: string, changes: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    title: id,
    firstPrompt: undefined,
    at: 0,
    cwd: '/project',
    branch: undefined,
    agent: 'Demo agent',
    bytes: undefined,
    status: 'stored',
    byPrint: false,
    ...changes,
  };
}
