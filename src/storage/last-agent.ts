import * as z from 'zod/mini';
import {stateFile} from '../shared/files/json-file.ts';

/** The name or command line of the agent that a window used last. */
export const lastAgent = stateFile('last-agent.json', z.string().check(z.minLength(1)));
