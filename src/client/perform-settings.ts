import type {SessionEffect} from '../app/effects.ts';
import type {Result} from '../failure.ts';
import type {SessionActions} from '../session/actions.ts';

type SettingEffect = Extract<SessionEffect, {kind: 'set_mode' | 'set_model' | 'set_config'}>;

/** Sets what the agent offers to set. */
export function performSetting(effect: SettingEffect, actions: SessionActions): Promise<Result<void>> {
  switch (effect.kind) {
    case 'set_mode':
      return actions.setMode(effect.modeId);
    case 'set_model':
      return actions.setModel(effect.modelId);
    case 'set_config':
      return actions.setConfigOption(effect.configId, effect.value);
  }
}
