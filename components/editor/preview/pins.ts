import { useSyncExternalStore } from 'react';

/**
 * Pinned outputs, per workflow and node: for expression previews, and for the runs that are started in the editor (see
 * `runPins`). They are stored in this browser only. The pin of the start node is the input of manual runs.
 */
export type Pins = Readonly<Record<string, unknown>>;

const keyOf = (workflowId: string) => `weft.pins.${workflowId}`;
const NONE: Pins = {};
const listeners = new Set<() => void>();
let known: { text: string | null; pins: Pins } = { text: null, pins: NONE };

/** All pins of a workflow. */
export function pinsIn(workflowId: string): Pins {
  const text = localStorage.getItem(keyOf(workflowId));
  if (text !== known.text) known = { text, pins: text === null ? NONE : (JSON.parse(text) as Pins) };
  return known.pins;
}

/** Pins an output; `undefined` unpins. False: the browser storage is full. */
export function pin(workflowId: string, nodeId: string, output: unknown): boolean {
  const { [nodeId]: _, ...others } = pinsIn(workflowId);
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
export const pinOf = (workflowId: string, nodeId: string): unknown => pinsIn(workflowId)[nodeId];

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePins = (workflowId: string): Pins =>
  useSyncExternalStore(
    subscribe,
    () => pinsIn(workflowId),
    () => NONE,
  );
