import {DEFAULTS} from '../../../src/settings/schema/settings-schema.ts';
import type {Permissions} from '../../../src/conversation/options.ts';

/** No rules and no hooks. */
export const noPermissions: Permissions = {
  rules: () => [],
  hooks: () => [],
  decided: () => undefined,
  hookRan: () => undefined,
  add: () => Promise.resolve({ok: true, value: undefined}),
};

/** What tests get for each agent, unless they say otherwise. */
export const agentDefaults = {
  offer: {fs: true, terminal: true},
  approval: 'all',
  limits: DEFAULTS.limits,
  newSettings: {options: []},
  permissions: noPermissions,
} as const;

/** How tests open a client, unless they say otherwise. */
export const conversationDefaults = {
  additionalDirectories: [],
  /** As it is when the client is opened. */
  get environment() {
    return {...process.env};
  },
  offer: {fs: true, terminal: true},
  approval: 'none',
  hasUser: true,
  settings: {options: []},
  startSeconds: 20,
  version: '0.0.0',
} as const;
