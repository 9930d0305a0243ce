import {flag} from '../../../cli/option-table.ts';
import {subcommand, subcommandGroup, type CommandOf} from '../../../cli/subcommand.ts';

const json = flag('--json', 'print JSON');

const worktrees = subcommandGroup(
  'acp-tui worktrees',
  'List the worktrees of sessions, and bring their changes back. Without a subcommand: list.',
  {
    list: subcommand('', 'list worktrees, with what was changed in them', {json}, (_, given) => given),
    apply: subcommand(
      ' <name>',
      'bring its changes to where it was made from, without committing them',
      {},
      ([name = '']) => ({name}),
    ),
    merge: subcommand(
      ' <name>',
      'merge its commits into the branch that it was made from',
      {},
      ([name = '']) => ({name}),
    ),
    keep: subcommand(
      ' <name>',
      'leave it and its branch to git: acp-tui no longer lists it',
      {},
      ([name = '']) => ({name}),
    ),
    remove: subcommand(
      ' <name>',
      'remove it and its branch; asks first if something would be lost',
      {yes: flag('-y, --yes', 'do not ask: name what is lost, and remove it')},
      ([name = ''], given) => ({name, ...given}),
    ),
  },
);

/** The parsed `acp-tui worktrees …`. */
export type WorktreesCommand = CommandOf<typeof worktrees>;
export const {program: worktreesProgram, read: readWorktreesCommand} = worktrees;
