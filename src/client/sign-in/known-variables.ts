import {quirksOf} from '../../agents/quirks.ts';
import type {AuthMethod} from '../../session/auth-methods.ts';

/** The methods of an agent; those that read the environment without saying so are of kind `env_var`. */
export function withKnownVariables(
  methods: readonly AuthMethod[] = [],
  agentName: string | undefined,
): readonly AuthMethod[] {
  const {variables = {}} = quirksOf(agentName);
  return methods.map((method): AuthMethod => {
    const vars = Object.hasOwn(variables, method.id) ? variables[method.id] : undefined;
    if ('type' in method || vars === undefined) return method;
    const {id, name, description} = method;
    return {type: 'env_var', id, name, vars, ...(description && {description})};
  });
}
