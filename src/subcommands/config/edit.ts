import {failureSentence} from '../../errors.ts';
import {readSettings, createSettingsFile, settingsFile} from '../../persistence/settings.ts';
import type {ConfigContext} from './context.ts';

/** Has the file edited, and says what of it cannot be used: exit code 1 then. */
export async function edit({config, stderr, warn, edit}: ConfigContext): Promise<number> {
  if (!edit) {
    stderr('acp-tui: Editing needs a terminal; "acp-tui config set" works without one.\n');
    return 2;
  }
  const created = createSettingsFile(config);
  if (!created.ok) {
    stderr(`acp-tui: ${failureSentence(created.failure)}\n`);
    return 2;
  }
  const problem = await edit(settingsFile(config));
  if (problem !== undefined) {
    stderr(`acp-tui: ${problem}\n`);
    return 1;
  }
  const {problems} = readSettings(config, {});
  for (const sentence of problems) warn(sentence);
  return problems.length === 0 ? 0 : 1;
}
