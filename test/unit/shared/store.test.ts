import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createStore} from '../../../src/shared/store.ts';

const add = (sum: number, amount: number) => sum + amount;

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
});

afterEach(() => {
  vi.useRealTimers();
});

function counting() {
  const store = createStore(add, 0);
  const published: number[] = [];
  const leave = store.subscribe(() => published.push(store.getSnapshot()));
  return {store, published, leave};
}

describe('a store', () => {
  it('publishes many events at once, 22 times a second', () => {
    const {store, published} = counting();
    vi.advanceTimersByTime(1000);
    for (let event = 0; event < 100; event++) {
      store.dispatch(1);
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(100);
    expect(published.at(-1)).toBe(100);
    expect(published.length).toBeGreaterThanOrEqual(20);
    expect(published.length).toBeLessThanOrEqual(24);
  });

  it('publishes nothing when nothing changed', () => {
    const {store, published} = counting();
    store.dispatch(0);
    store.dispatch(0, 'urgent');
    vi.advanceTimersByTime(1000);
    expect(published).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('publishes urgent events at once, with all that waited', () => {
    const {store, published} = counting();
    store.dispatch(1, 'urgent');
    store.dispatch(1);
    store.dispatch(1, 'urgent');
    expect(published).toEqual([1, 3]);
    vi.advanceTimersByTime(1000);
    expect(published).toEqual([1, 3]);
  });

  it('shows readers the published state and effects the newest', () => {
    const {store} = counting();
    store.dispatch(1, 'urgent');
    store.dispatch(1);
    expect(store.getSnapshot()).toBe(1);
    expect(store.latest()).toBe(2);
  });

  it('passes each event to effects, in order, before it is published', () => {
    const {store, published} = counting();
    const seen: [event: number, state: number, published: number][] = [];
    const leave = store.onEvent((event, state) => seen.push([event, state, published.length]));
    store.dispatch(1);
    store.dispatch(2, 'urgent');
    leave();
    store.dispatch(3);
    expect(seen).toEqual([
      [1, 1, 0],
      [2, 3, 0],
    ]);
  });

  it('lets an effect dispatch', () => {
    const {store} = counting();
    store.onEvent((event) => {
      if (event === 1) store.dispatch(10);
    });
    store.dispatch(1);
    expect(store.latest()).toBe(11);
  });

  it('drops unsubscribed listeners', () => {
    const {store, published, leave} = counting();
    leave();
    store.dispatch(1, 'urgent');
    expect(published).toEqual([]);
  });
});
