import { useEffect, useEffectEvent, useRef } from 'react';

/** Chooses the only credential that fits, once. `isWanted`: nothing was chosen before, and a choice is safe. */
export function useOnlyCredential(isWanted: boolean, ids: readonly string[], choose: (id: string) => void): void {
  const isOpen = useRef(isWanted);
  const [onlyId] = ids.length === 1 ? ids : [];
  const chooseOnly = useEffectEvent(choose);
  useEffect(() => {
    if (!isOpen.current || onlyId === undefined) return;
    isOpen.current = false;
    chooseOnly(onlyId);
  }, [onlyId]);
}
