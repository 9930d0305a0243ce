import {describe, expect, it} from 'vitest';
import {opened, says, told} from './build.ts';

describe('commands', () => {
  it('are replaced as a whole, with any names', () => {
    const availableCommands = ['memory show', '$skill', 'a:b'].map((name) => ({name, description: ''}));
    const before = told(opened, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{name: 'old', description: ''}],
    });
    const session = told(before, {sessionUpdate: 'available_commands_update', availableCommands});
    expect(session.commands.map(({name}) => name)).toEqual(['memory show', '$skill', 'a:b']);
    expect(told(session, says('hi')).commands).toBe(session.commands);
  });
});
