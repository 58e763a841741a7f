import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False until the page is alive in the browser: a click before that would be lost. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
