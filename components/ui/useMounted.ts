import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False until hydration: earlier clicks would be lost. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
