import {NETWORK_LEVELS, SOCKET_LEVELS} from '../../session/settings/sandbox.ts';
import {flag, folders, hosts, oneOf, parts, patterns} from './setting-fields.ts';

/** The setting `sandbox`, for all agents or for one: see src/sandbox. */
export const sandboxSettings = parts({
  enabled: {...flag, description: 'whether agents run in a sandbox (acp-tui help sandbox)'},
  folders: {...folders, description: 'more folders that agents in a sandbox may write', ofUser: true},
  hidden: {...patterns, description: 'files of the workspace that agents in a sandbox cannot read'},
  sockets: {
    ...oneOf(SOCKET_LEVELS),
    description: 'whether agents in a sandbox may use Unix sockets, such as those of Docker and ssh-agent',
  },
  network: {
    ...oneOf(NETWORK_LEVELS),
    description:
      'hosts that a sandbox allows: known ones, others after a question; all that are public; or only sandbox.hosts',
  },
  hosts: {...hosts, description: 'hosts that a sandbox allows without asking', ofUser: true},
});
