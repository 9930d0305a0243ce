import {singleCommand, subcommand} from '../../../cli/subcommand.ts';

const attach = singleCommand('acp-tui attach', {
  ...subcommand('[id]', 'Show a session that runs in the background.', {}, ([id]) => ({id})),
  about: ['its ID, or the beginning of it (default: the only one)'],
  after: `
Examples:
  acp-tui --background "fix the flaky test"   start a session in the background
  acp-tui attach                              show it
  ssh host -t acp-tui attach                  from another computer`,
});

export const {program: attachProgram, read: readAttachCommand} = attach;
