import {setApproval} from '../choose.ts';
import {openPicker} from '../picker.ts';
import {approvalChoices, approvalPicker} from '../pickers.ts';
import {choiceMeant, unknownChoice, type Command} from './command.ts';

export const approve: Command = {
  name: 'approve',
  argument: '[none|reads|edits|all]',
  description: 'What goes ahead without asking',
  complete: ({approval}, typed) => ({before: '', typed, choices: approvalChoices, current: approval}),
  run(call) {
    const {open, argument} = call;
    if (argument === '') return openPicker(approvalPicker(open.approval));
    const meant = choiceMeant(approvalChoices, argument);
    return meant ? setApproval(open, meant.id) : unknownChoice('policy', approvalChoices, call);
  },
};
