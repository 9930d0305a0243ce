import type {Where} from './place.ts';

/** What else is started, and where it is in a confined session: the rows of the second table in docs/sandbox.md. `why` is for what is outside. */
export const PROGRAMS = {
  'a command of the agent': {where: 'inside'},
  'an MCP server': {where: 'inside'},
  'a sign-in program': {where: 'inside'},
  'a hook': {where: 'inside'},
  'the status command': {where: 'inside'},
  '`` !`command` `` in a custom command': {where: 'inside'},
  'the set-up command of a worktree': {where: 'inside'},
  'the check of a comparison': {where: 'inside'},
  'your own `Notification` hook': {where: 'outside', why: 'it needs the desktop'},
  '`!`': {where: 'outside', why: 'you typed it'},
  'your editor': {where: 'outside', why: 'you opened it'},
  'programs of the clipboard': {
    where: 'outside',
    why: 'they need the desktop; none that the workspace holds',
  },
  "acp-tui's own git": {where: 'outside', why: 'it runs nothing that the workspace names or holds'},
} as const satisfies Record<string, Row>;

export type Program = keyof typeof PROGRAMS;

type Row = {readonly where: Extract<Where, 'inside'>} | {readonly where: 'outside'; readonly why: string};
