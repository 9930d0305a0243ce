import {keyVariable, type Quirks} from './quirks.ts';

/** Its description names one variable, and without the other two it says that the first one is missing. */
export const qwen: Quirks = {
  variables: {
    openai: [
      keyVariable('OPENAI_API_KEY'),
      {name: 'OPENAI_BASE_URL', label: 'Address of the service', secret: false, optional: true},
      {name: 'OPENAI_MODEL', label: 'Model', secret: false, optional: true},
    ],
  },
};
