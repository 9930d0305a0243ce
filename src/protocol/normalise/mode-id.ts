import type {Deviation} from './deviation.ts';

/** `current_mode_update` with `modeId`, as the protocol's own modes page writes it; the schema says `currentModeId`. */
export const modeId: Deviation = {
  name: 'mode-id',
  mend: (update) =>
    update['currentModeId'] === undefined && typeof update['modeId'] === 'string'
      ? {...update, currentModeId: update['modeId']}
      : update,
};
