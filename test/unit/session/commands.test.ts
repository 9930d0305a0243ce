import {describe, expect, it} from 'vitest';
import {opened, says, reduceUpdates} from '../../support/session/build.ts';

describe('commands', () => {
  it('are replaced as a whole, with any names', () => {
    const availableCommands = ['memory show', '$skill', 'a:b'].map((name) => ({name, description: ''}));
    const before = reduceUpdates(opened, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{name: 'old', description: ''}],
    });
    const session = reduceUpdates(before, {sessionUpdate: 'available_commands_update', availableCommands});
    expect(session.commands.map(({name}) => name)).toEqual(['memory show', '$skill', 'a:b']);
    expect(reduceUpdates(session, says('hi')).commands).toBe(session.commands);
  });
});
