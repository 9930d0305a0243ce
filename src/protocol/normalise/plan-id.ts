import {isFields, type Deviation, type Fields} from './deviation.ts';

/** `plan_update` and `plan_removed` with `id`, as the proposal writes it; the draft schema says `planId`. */
export const planId: Deviation = {
  name: 'plan-id',
  mend(update) {
    if (update['sessionUpdate'] === 'plan_removed') return renamed(update);
    const {plan} = update;
    if (!isFields(plan)) return update;
    const mended = renamed(plan);
    return mended === plan ? update : {...update, plan: mended};
  },
};

function renamed(fields: Fields): Fields {
  const {id} = fields;
  return fields['planId'] === undefined && typeof id === 'string' ? {...fields, planId: id} : fields;
}
