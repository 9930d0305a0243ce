import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../session/settings/approval.ts';
import type {SessionActions} from '../session/actions.ts';

const text = z.string();
const texts = z.array(text);
const object = z.looseObject({});
/** A union of ours: what else it has depends on its kind. */
const kind = z.looseObject({kind: text});
const optional = z.nullish;

/** The arguments of each action, as far as a wrong one could do harm outside of its session. */
const shapes = {
  limitUses: [],
  changeQueue: [kind],
  sendWithoutSnapshot: [],
  cancelSubagent: [text],
  cancelTask: [z.looseObject({kind: z.enum(['tool_call', 'terminal']), id: text, subagent: optional(text)})],
  cancel: [],
  answer: [text, kind],
  askUser: [z.looseObject({title: text, text, yes: text, no: text})],
  runShell: [text],
  runStatusCommand: [text, text],
  expandCommand: [object],
  saveCommand: [text, text],
  interruptCommand: [text],
  typeInto: [text, text],
  stopCommand: [text],
  setMode: [text],
  setModel: [text],
  setConfigOption: [text, z.union([text, z.boolean()])],
  authenticate: [text],
  logOut: [],
  setApproval: [z.enum(APPROVAL_LEVELS)],
  sessionGrants: [],
  takeBack: [text],
  openSession: [kind],
  restart: [],
  listSessions: [object, optional(text)],
  renameSession: [text],
  changeSession: [z.enum(['delete', 'archive', 'unarchive']), text],
  addDirectory: [text],
  addSandboxFolder: [text],
  planUndo: [],
  undo: [z.number(), optional(texts)],
  rewindPoints: [],
  planRewind: [object],
  rewind: [object, optional(texts)],
  review: [kind],
  changeReview: [kind, text],
  saveReviewComments: [object],
  listProviders: [],
  configureProvider: [text],
  listMcpServers: [],
  toggleMcpServer: [text],
  notified: [text],
  stderrTail: [],
  close: [],
} as const satisfies Readonly<Record<keyof SessionActions, readonly z.ZodMiniType[]>>;

export const ACTIONS = Object.keys(shapes) as readonly (keyof SessionActions)[];

/** True for an action of a session with arguments that it can be called with. */
export function isActionCall(action: string, args: readonly unknown[]): action is keyof SessionActions {
  if (!Object.hasOwn(shapes, action)) return false;
  const expected: readonly z.ZodMiniType[] = shapes[action as keyof typeof shapes];
  return (
    args.length <= expected.length && expected.every((shape, index) => shape.safeParse(args[index]).success)
  );
}
