import {showAgents} from './agent-picker.ts';
import type {ApprovalLevel} from '../../session/settings/approval.ts';
import {configOption} from '../../session/settings/options.ts';
import {call, fold, nothing, perform, together, type Step} from '../effects.ts';
import {choosePermission, chooseForRule} from '../requests/permission-choices.ts';
import {chooseContent, performOnContent} from './content-picker.ts';
import {openPicker} from './picker.ts';
import {chooseRewind, chooseUndo} from './restore-pickers.ts';
import {configValuePicker, askFirst, isUnattended, setChoice} from './setting-pickers.ts';
import {chooseSignIn} from '../recovery/sign-in.ts';
import type {SessionState} from '../../session/state.ts';
import type {OpenSession, SessionChoice, SessionKey, UnattendedChoice} from '../state.ts';

/** Performs the item with this id of a list that is already closed. */
export function choose(open: OpenSession, purpose: SessionChoice, id: string): Step {
  const {key} = open;
  switch (purpose.kind) {
    case 'mode':
      return chooseSetting(open, {kind: 'mode', id});
    case 'model':
      return call(key, 'setModel', id);
    case 'config':
      return chooseOption(open, id);
    case 'config_value':
      return chooseSetting(open, {kind: 'config', configId: purpose.configId, value: id});
    case 'unattended':
      return id === 'switch' ? setChoice(open, purpose.choice) : nothing;
    case 'approval':
      return setApproval(open, id as ApprovalLevel);
    case 'authenticate':
      return chooseSignIn(open, id);
    case 'permissions':
      return choosePermission(open, id);
    case 'rule':
      return chooseForRule(open, purpose.text, id);
    case 'grant':
      return id === 'take_back'
        ? perform({kind: 'take_back', key, id: purpose.id, covers: purpose.covers})
        : nothing;
    case 'recovery':
      return recover(open, id);
    case 'wire':
      return perform({kind: 'show_exchange', index: Number(id)});
    case 'providers':
      return call(key, 'configureProvider', id);
    // Selecting does nothing there: a key toggles.
    case 'mcp':
      return nothing;
    case 'undo':
      return chooseUndo(key, purpose, id);
    case 'rewind': {
      const point = purpose.points[Number(id)];
      return point ? perform({kind: 'plan_rewind', key, point}) : nothing;
    }
    case 'rewind_to':
      return chooseRewind(open, purpose.plan, id);
    case 'content':
      return chooseContent(open, purpose.items, id);
    case 'content_item':
      return performOnContent(open, purpose.item, id);
  }
}

/** Sets a mode or an option; asks for confirmation if the agent would stop asking. */
export function chooseSetting(open: OpenSession, choice: UnattendedChoice): Step {
  return isUnattended(open.session, choice) ? askFirst(open.session, choice) : setChoice(open, choice);
}

/** Toggles a boolean at once; shows the values of any other option. */
export function chooseOption(open: OpenSession, configId: string): Step {
  const option = configOption(open.session, configId);
  if (!option) return nothing;
  if (option.type === 'boolean')
    return chooseSetting(open, {kind: 'config', configId, value: !option.currentValue});
  return openPicker(configValuePicker(open.session, configId));
}

export function setApproval({key}: OpenSession, level: ApprovalLevel): Step {
  return call(key, 'setApproval', level);
}

/** Recovery options, see recovery-menu.ts. */
function recover({key, session}: OpenSession, id: string): Step {
  switch (id) {
    case 'restart':
      return call(key, 'restart');
    case 'quit':
      return perform({kind: 'quit'});
    case 'agents':
      return showAgents();
    case 'install':
      return installMissing(session);
    case 'log':
      return perform({kind: 'show_log', key});
    case 'new':
      return call(key, 'openSession', {kind: 'new'});
    case 'new_with_context':
      return together(fold({type: 'handoff_drafted', key}), call(key, 'openSession', {kind: 'new'}));
    case 'retry':
      return retryOpening(key, session);
    case 'send_again':
      return call(key, 'changeQueue', {kind: 'resend_interrupted'});
    case 'change':
      return editInterrupted(key, session);
    case 'leave':
      return call(key, 'changeQueue', {kind: 'leave_interrupted'});
    default:
      return nothing;
  }
}

function editInterrupted(key: SessionKey, {queue}: SessionState): Step {
  const {interruptedPrompt} = queue;
  return interruptedPrompt ? perform({kind: 'edit_unsent', key, id: interruptedPrompt.id}) : nothing;
}

function installMissing({connection}: SessionState): Step {
  const failure = connection.kind === 'failed' ? connection.failure : undefined;
  const id = failure?.kind === 'command_not_found' ? failure.installable : undefined;
  return id === undefined ? nothing : perform({kind: 'install_agent', id});
}

function retryOpening(key: string, {connection}: SessionState): Step {
  const failure = connection.kind === 'no_session' ? connection.failure : undefined;
  if (failure?.kind === 'cannot_continue')
    return call(key, 'openSession', {kind: 'continue', sessionId: failure.sessionId});
  if (failure?.kind === 'no_such_session')
    return call(key, 'openSession', {kind: 'continue', sessionId: failure.wanted});
  return nothing;
}
