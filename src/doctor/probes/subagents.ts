import {notTried, type Probe} from '../examination.ts';

/** What agents tell of them depends on the client, which would have to offer to show them. */
export const subagents: Probe = ({found: {initialized}}) => {
  const subject = {id: 'subagents', name: 'subagents', advertised: 'untold'} as const;
  return Promise.resolve(initialized ? [notTried(subject, 'acp-tui does not offer to show them yet')] : []);
};
