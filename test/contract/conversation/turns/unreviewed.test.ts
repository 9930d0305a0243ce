import {describe, expect, test} from 'vitest';
import {openConversation} from '../open-conversation.ts';
import {patient, turn} from './covered-turns.ts';

describe('what is not reviewed', () => {
  const five = ['one', 'two', 'three', 'four', 'five'].join('\n');

  /** The file after two turns, which together have added six lines and removed one. */
  async function edited() {
    const conversation = await openConversation(['fs'], {
      openSnapshots: patient().openSnapshots,
      approval: 'all',
    });
    await turn(conversation, `write a.txt ${five}`);
    await turn(conversation, `write a.txt ${five.replace('three', 'third')}`);
    const shown = () => conversation.state().unreviewed;
    await expect.poll(() => shown()?.files, {timeout: 20_000}).toBe(1);
    return {...conversation, actions: conversation.conversation, shown};
  }

  test('has the numbers of the review, at the end of a turn already', async () => {
    const {actions, shown, until} = await edited();
    await until((now) => now.turnChanges?.turn === 2, 'the end of the turn');
    const outcome = await actions.review({kind: 'unreviewed'});
    const [file] = outcome.ok ? outcome.review.files : [];
    expect(shown()).toEqual({files: 1, listed: [{path: 'a.txt', status: 'added', added: 5, removed: 0}]});
    expect(shown()?.listed).toEqual([
      {path: file?.path, status: file?.status, added: file?.added, removed: file?.removed},
    ]);
  });

  test('follows what is accepted, reverted, undone and restored', async () => {
    const {actions, shown} = await edited();
    const review = await actions.review({kind: 'unreviewed'});
    if (!review.ok) throw new Error(review.why);
    const {id, files} = review.review;
    await actions.changeReview({kind: 'accept', file: files[0]?.id ?? '', hunk: undefined}, id);
    expect(shown()?.files).toBe(0);
    await actions.changeReview({kind: 'undo'}, id);
    expect(shown()?.files).toBe(1);
    const [, first] = await actions.rewindPoints();
    await actions.rewind(await actions.planRewind(first!));
    expect(shown()?.files).toBe(0);
  });
});
