import {quirksOf} from '../../agents/quirks/index.ts';
import type {AuthMethod} from '../../session/auth-methods.ts';

/** The methods of an agent; those that take a key from the environment without saying so are of kind `env_var`. */
export function withKnownKeys(
  methods: readonly AuthMethod[] = [],
  agentName: string | undefined,
): readonly AuthMethod[] {
  const {keys = {}} = quirksOf(agentName);
  return methods.map((method): AuthMethod => {
    const variable = Object.hasOwn(keys, method.id) ? keys[method.id] : undefined;
    if ('type' in method || variable === undefined) return method;
    const {id, name, description} = method;
    // It may have the key already, from another variable or a file of its own.
    const vars = [{name: variable, label: 'API key', secret: true, optional: true}];
    return {type: 'env_var', id, name, vars, ...(description && {description})};
  });
}
