import { useSyncExternalStore } from 'react';

/** An observable state. A component that selects a part renders again only when that part changes. */
export interface ObservableStore<State extends object> {
  get(): State;
  set(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

export function createObservableStore<State extends object>(initial: State): ObservableStore<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * `pick` must return a part of the state or a primitive, because a new object each time would render the component
 * without end.
 */
export function useStoreSlice<State extends object, Part>(
  store: ObservableStore<State>,
  pick: (state: State) => Part,
): Part {
  const read = () => pick(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
