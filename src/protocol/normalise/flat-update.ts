import {isFields, type Deviation} from './deviation.ts';

/** A `session/update` whose update is not in `update`, but flat beside the session's id. */
export const flatUpdate: Deviation = {
  name: 'flat-update',
  mend(params) {
    if (isFields(params['update']) || typeof params['sessionUpdate'] !== 'string') return params;
    const {sessionId, ...update} = params;
    return {sessionId, update};
  },
};
