import { useEffect, useEffectEvent } from 'react';

/** What the command palette asks the frame of the page to show. */
export type PaletteRequest = { kind: 'create' } | { kind: 'import' } | { kind: 'templates'; id?: string };

const paletteListeners = new Set<(request: PaletteRequest) => void>();
let ownPaletteCount = 0;

export function sendPaletteRequest(request: PaletteRequest): void {
  for (const listener of paletteListeners) listener(request);
}

/** Receives the requests while the component is mounted. */
export function usePaletteRequests(onRequest: (request: PaletteRequest) => void): void {
  const receive = useEffectEvent(onRequest);
  useEffect(() => {
    const listener = (request: PaletteRequest) => receive(request);
    paletteListeners.add(listener);
    return () => void paletteListeners.delete(listener);
  }, []);
}

/** Declares that this page has a palette of its own, which contains the common entries. */
export function usePagePalette(): void {
  useEffect(() => {
    ownPaletteCount += 1;
    return () => {
      ownPaletteCount -= 1;
    };
  }, []);
}

export const hasPagePalette = (): boolean => ownPaletteCount > 0;
