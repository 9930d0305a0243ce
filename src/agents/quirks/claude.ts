import type {Quirks} from './quirks.ts';

export const claude: Quirks = {
  notes: ['As root it opens no session unless IS_SANDBOX=1 is set.'],
};
