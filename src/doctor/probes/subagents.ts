import {notTried, type Probe} from '../examination.ts';

/** Agents do not advertise subagents; they report them once there are some ("Subagents"). */
export const subagents: Probe = ({found: {initialized}}) => {
  const subject = {id: 'subagents', name: 'subagents', advertised: 'unspecified'} as const;
  const note = 'acp-tui shows them once the agent reports some';
  return Promise.resolve(initialized ? [notTried(subject, note)] : []);
};
