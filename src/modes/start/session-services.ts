import type {ConversationOptions} from '../../conversation/options.ts';
import {createCommandLibrary} from '../../conversation/prompt/command-library.ts';
import {effectiveSettings} from '../../settings/schema/settings-schema.ts';
import type {RunSetup} from './run-setup.ts';

/** Returns what all sessions with a user have in common: snapshots and custom commands. */
export async function sessionServices(setup: RunSetup) {
  const {config, state} = setup.paths;
  const customCommands = createCommandLibrary({config, state});
  return {customCommands, ...(await snapshotsOf(setup))};
}

/** None if nothing is stored. */
async function snapshotsOf({
  settings,
  paths,
  save,
}: RunSetup): Promise<Pick<ConversationOptions, 'openSnapshots'>> {
  const {take, keepDays} = effectiveSettings(settings).snapshots;
  if (!save || !take) return {};
  const {createTurnSnapshots} = await import('../../snapshots/turn-snapshots.ts');
  return {
    openSnapshots: (of) => createTurnSnapshots({...of, state: paths.state, keepDays}),
  };
}
