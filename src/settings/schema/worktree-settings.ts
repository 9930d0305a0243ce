import * as z from 'zod/mini';
import {flag, parts, patterns, text} from './setting-fields.ts';

const folder = {
  schema: z.string().check(z.regex(/^(?:\/|~\/)./)),
  allowed: 'a folder that starts with / or ~/',
} as const;

/** The setting `worktrees`: see docs/worktrees.md. */
export const worktreeSettings = {
  topic: 'Storage',
  applies: 'in new sessions',
  description: 'worktrees of sessions: where they are, and what they get (acp-tui help worktrees)',
  ...parts({
    folder: {...folder, description: 'the folder for worktrees'},
    copy: {
      ...patterns,
      description: 'ignored files and folders that are copied to a new worktree, such as .env',
    },
    link: {
      ...patterns,
      description: 'ignored folders that get links to what is in them, such as node_modules',
    },
    setup: {
      ...text('a shell command'),
      description: 'a command that is run in a new worktree, in a sandbox if the session has one',
    },
    background: {...flag, description: 'whether sessions that begin in the background get a worktree'},
  }),
} as const;
