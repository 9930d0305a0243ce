import type {Plugin} from 'esbuild';

/** What marked-terminal imports for code, tables and emoji, all of which src/text draws itself: 1.5 MB. */
const UNUSED = /^(?:cli-highlight|cli-table3|node-emoji)$/;

/** Stands in for those packages. Called all the same, they fail as anything undefined does. */
const NOTHING = 'export default undefined; export const highlight = undefined; export const get = undefined;';

/** Leaves out of the bundle what is imported but never called. */
export const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup(build) {
    build.onResolve({filter: UNUSED}, ({path}) => ({path, namespace: 'unused'}));
    build.onLoad({filter: /.*/, namespace: 'unused'}, () => ({contents: NOTHING}));
  },
};
