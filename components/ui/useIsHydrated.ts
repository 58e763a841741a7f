import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** False until hydration: earlier clicks would be lost. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
