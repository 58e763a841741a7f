import { useSyncExternalStore } from 'react';

/**
 * Pinned outputs for expression previews, per workflow and node. They are stored in this browser only and do not affect
 * runs, except that of the start node: it is the input of manual runs.
 */
export type Pins = Readonly<Record<string, unknown>>;

const keyOf = (workflowId: string) => `weft.pins.${workflowId}`;
const NONE: Pins = {};
const listeners = new Set<() => void>();
let known: { text: string | null; pins: Pins } = { text: null, pins: NONE };

function read(workflowId: string): Pins {
  const text = localStorage.getItem(keyOf(workflowId));
  if (text !== known.text) known = { text, pins: text === null ? NONE : (JSON.parse(text) as Pins) };
  return known.pins;
}

/** Pins an output; `undefined` unpins. False: the browser storage is full. */
export function pin(workflowId: string, nodeId: string, output: unknown): boolean {
  const { [nodeId]: _, ...others } = read(workflowId);
  try {
    localStorage.setItem(
      keyOf(workflowId),
      JSON.stringify(output === undefined ? others : { ...others, [nodeId]: output }),
    );
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

/** Undefined: no output is pinned. */
export const pinOf = (workflowId: string, nodeId: string): unknown => read(workflowId)[nodeId];

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePins = (workflowId: string): Pins =>
  useSyncExternalStore(
    subscribe,
    () => read(workflowId),
    () => NONE,
  );
