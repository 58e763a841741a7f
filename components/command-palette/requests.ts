import { useEffect, useEffectEvent } from 'react';

/** What the command palette asks the frame of the page to show. */
export type Request = { kind: 'create' } | { kind: 'import' } | { kind: 'templates'; id?: string };

const listeners = new Set<(request: Request) => void>();
let ownPalettes = 0;

export function send(request: Request): void {
  for (const listener of listeners) listener(request);
}

/** Receives the requests while the component is mounted. */
export function useRequests(onRequest: (request: Request) => void): void {
  const receive = useEffectEvent(onRequest);
  useEffect(() => {
    const listener = (request: Request) => receive(request);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

/** Declares that this page has a palette of its own, which contains the common entries. */
export function useOwnPalette(): void {
  useEffect(() => {
    ownPalettes += 1;
    return () => {
      ownPalettes -= 1;
    };
  }, []);
}

export const hasOwnPalette = (): boolean => ownPalettes > 0;
