import type * as acp from '@agentclientprotocol/sdk/unstable';
import {edit} from './edit.ts';
import {form} from './form.ts';
import {hello} from './hello.ts';
import {link} from './link.ts';
import {markdown} from './markdown.ts';
import {read} from './read.ts';
import {run} from './run.ts';
import type {Scene} from './scene.ts';
import {slow} from './slow.ts';
import {tour} from './tour.ts';
import {work} from './work.ts';

const SCENES: readonly Scene[] = [tour, markdown, work, read, edit, run, form, link, slow];

/** The commands that clients can offer ("Slash Commands"). */
export function commands(): acp.AvailableCommand[] {
  return SCENES.map(({name, description, hint}) => ({
    name,
    description,
    ...(hint !== undefined && {input: {hint}}),
  }));
}

/** The scene that a prompt asks for; `hello` for everything that is no command. */
export function sceneFor(prompt: string): Scene {
  const name = /^\/(\S+)/.exec(prompt.trim())?.[1];
  return SCENES.find((scene) => scene.name === name) ?? hello;
}
