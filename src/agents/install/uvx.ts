import type {MakeAgent} from './kind.ts';

/**
 * A Python package. uv has a store of its own for all of them, which cannot be moved: `uvx` fetches the version that was agreed to when the
 * agent is first started, and finds it there afterwards.
 */
export const makeUvx: MakeAgent<'uvx'> = async ({pinned: {name, version}, cmd, args, env}) => {
  const spec = `${name}==${version}`;
  const command = cmd ?? name.replace(/\[.*$/, '');
  return {
    ok: true,
    value: {from: spec, start: {command: 'uvx', args: ['--from', spec, command, ...args], env}},
  };
};
