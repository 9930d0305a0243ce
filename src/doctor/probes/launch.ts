import {attempt} from '../attempt.ts';
import type {Probe} from '../examination.ts';

/** Starts the agent. */
export const launch: Probe = async (examination) => {
  const {command, args} = examination.options.agent;
  const {check, value} = await attempt(examination, {
    id: 'launch',
    name: 'starting',
    advertised: 'always',
    method: 'the start',
    work: () => examination.start(),
    judge: () => ({note: [command, ...args].join(' ')}),
  });
  if (value) examination.found.life = value;
  return [check];
};
