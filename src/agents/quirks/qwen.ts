import type {Quirks} from './quirks.ts';

/** It tells in the description of its sign-in method which variable it wants. */
export const qwen: Quirks = {keys: {openai: 'OPENAI_API_KEY'}};
