import {isFields, type Deviation} from './deviation.ts';

/** `terminal/create` with its environment as an object instead of a list of names and values. */
export const terminalEnv: Deviation = {
  name: 'terminal-env',
  mend: (request) =>
    isFields(request['env'])
      ? {
          ...request,
          env: Object.entries(request['env']).map(([name, value]) => ({name, value: String(value)})),
        }
      : request,
};
