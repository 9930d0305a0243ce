import type {Probe} from '../examination.ts';
import {archive} from './archive.ts';
import {authentication} from './authentication.ts';
import {cancel} from './cancel.ts';
import {close} from './close.ts';
import {deletion} from './delete.ts';
import {extensions} from './extensions.ts';
import {fork} from './fork.ts';
import {initialize} from './initialize.ts';
import {launch} from './launch.ts';
import {list} from './list.ts';
import {load} from './load.ts';
import {negotiation} from './negotiation.ts';
import {newSession} from './new-session.ts';
import {prompt} from './prompt.ts';
import {promptContent} from './prompt-content.ts';
import {providers} from './providers.ts';
import {resume} from './resume.ts';
import {settings} from './settings.ts';
import {shutDown} from './shut-down.ts';
import {subagents} from './subagents.ts';
import {systemPrompt} from './system-prompt.ts';
import {titles} from './titles.ts';

/** What is tried, in this order. One process of the agent runs at a time: two of some agents get into each other's way. */
export const PROBES: readonly Probe[] = [
  launch,
  initialize,
  authentication,
  newSession,
  settings,
  prompt,
  promptContent,
  subagents,
  titles,
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
