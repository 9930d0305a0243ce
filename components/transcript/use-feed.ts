import {useEffect, useState, useSyncExternalStore} from 'react';
import type {Readable} from '../use-store.ts';
import {createFeed, type FeedOptions} from './feed.ts';
import type {Projection} from './projector.ts';

export interface FeedReading {
  readonly projection: Projection;
  /** See `Feed.finish`. */
  readonly finish: () => void;
}

/** The projection of the session that `options.session` gives, kept up to date with the store. */
export function useFeed(store: Readable<unknown>, options: FeedOptions): FeedReading {
  const [feed] = useState(() => createFeed(options));
  useEffect(() => {
    const stop = store.subscribe(feed.refresh);
    return () => {
      stop();
      feed.close();
    };
  }, [store, feed]);
  return {projection: useSyncExternalStore(feed.subscribe, feed.getSnapshot), finish: feed.finish};
}
