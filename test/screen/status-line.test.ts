import {expect, test} from 'vitest';
import {drawStatus} from '../../components/status-lines.ts';
import type {StatusLine} from '../../src/app/status/status-line.ts';
import {colourDraw, plainDraw} from './draw.ts';

const status: StatusLine = {
  editing: undefined,
  replay: undefined,
  agent: 'Claude',
  mode: undefined,
  unattended: 'Bypass Permissions',
  model: 'opus',
  approval: undefined,
  context: undefined,
  cost: undefined,
  folder: 'project (main)',
  escape: undefined,
};

test('a mode in which the agent stops asking has the warning colour and a sign, and stays on a narrow line', () => {
  const draw = colourDraw({columns: 80});
  expect(drawStatus(status, draw)).toContain(draw.paint.warning('! Bypass Permissions').slice(0, -5));
  expect(drawStatus(status, plainDraw({columns: 80}))).toContain('Claude · ! Bypass Permissions · opus');
  expect(drawStatus(status, plainDraw({columns: 24}))).toBe('! Bypass Permissions');
});
