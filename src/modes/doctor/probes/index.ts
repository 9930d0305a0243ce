import type {Probe} from '../examination.ts';
import {archive, close, deletion, list, shutDown} from './lifecycle.ts';
import {authentication} from './authentication.ts';
import {cancel, prompt} from './turn.ts';
import {extensions} from './extensions.ts';
import {fork, load, resume} from './reopen.ts';
import {initialize, launch, negotiation} from './startup.ts';
import {newSession, ownTitle, providers, settings, subagents, systemPrompt, title} from './session.ts';
import {promptContent} from './prompt-content.ts';

/** The probes in order. One process of the agent runs at a time: with some agents, two would interfere. */
export const PROBES: readonly Probe[] = [
  launch,
  initialize,
  authentication,
  newSession,
  settings,
  prompt,
  promptContent,
  subagents,
  ownTitle,
  title,
  providers,
  list,
  cancel,
  extensions,
  fork,
  systemPrompt,
  close,
  shutDown,
  load,
  resume,
  archive,
  deletion,
  negotiation,
];
