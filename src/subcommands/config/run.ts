import type {ConfigCommand} from '../../cli/config/commands.ts';
import {settingsFile} from '../../persistence/settings.ts';
import {changeSettingAt} from './change.ts';
import type {ConfigContext} from './context.ts';
import {edit} from './edit.ts';
import {get} from './get.ts';
import {list} from './list.ts';

/** Does what `acp-tui config` was asked for; resolves to the exit code. */
export async function runConfigCommand(command: ConfigCommand, context: ConfigContext): Promise<number> {
  switch (command.kind) {
    case 'list':
      return list(command, context);
    case 'get':
      return get(command, context);
    case 'set':
    case 'unset':
      return changeSettingAt(command, context);
    case 'edit':
      return edit(context);
    case 'path':
      context.stdout.write(`${settingsFile(context.config)}\n`);
      return 0;
  }
}
