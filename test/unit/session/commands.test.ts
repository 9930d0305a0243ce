import {describe, expect, it} from 'vitest';
import {opened, says, foldUpdates} from '../../support/session/build.ts';

describe('commands', () => {
  it('are replaced as a whole, with any names', () => {
    const availableCommands = ['memory show', '$skill', 'a:b'].map((name) => ({name, description: ''}));
    const before = foldUpdates(opened, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{name: 'old', description: ''}],
    });
    const session = foldUpdates(before, {sessionUpdate: 'available_commands_update', availableCommands});
    expect(session.commands.map(({name}) => name)).toEqual(['memory show', '$skill', 'a:b']);
    expect(foldUpdates(session, says('hi')).commands).toBe(session.commands);
  });
});
