import { useSyncExternalStore } from 'react';

/** An observable state. A component that selects a part renders again only when that part changes. */
export interface Store<State extends object> {
  get(): State;
  set(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
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

/** `pick` must answer with a part of the state (or a primitive), not with an object made on the spot. */
export function useStore<State extends object, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  const read = () => pick(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
