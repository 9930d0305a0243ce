import type {Quirks} from './quirks.ts';

export const copilot: Quirks = {usageAddsUp: true};
