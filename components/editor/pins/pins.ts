import type { Pin } from '@/contract/workflows/pin';
import type { Definition } from '@/contract/workflows/workflow';
import { bodyAt } from '@/components/graph/body';

/** Outputs of nodes on the canvas by their ids, pinned or examples. */
export type Pins = Readonly<Record<string, unknown>>;

/** A pinned output. `version`: that of the pin in the service; 0: it has none yet. */
export interface StoredPin {
  output: unknown;
  version: number;
}

/** The pins of a workflow. The path of a node is its id, inside of loops `loop[].inner`. */
export type StoredPins = Readonly<Record<string, StoredPin>>;

/** The pins of a workflow in the editor. */
export interface PinState {
  pins: StoredPins;
  /** Outputs whose pins went with their nodes. A node that comes back (undo) is pinned again. */
  droppedPins: Pins;
}

const INSIDE = '[].';

/** The path of a node on the canvas. `path`: the opened loops. */
export const pinPath = (path: readonly string[], nodeId: string): string => [...path, nodeId].join(INSIDE);

/** A pin in an answer of the service. */
export type ListedPin = Pick<Pin, 'nodeId' | 'version'> & Partial<Pick<Pin, 'output'>>;

export const storedPins = (pins: readonly ListedPin[]): StoredPins =>
  Object.fromEntries(pins.map(({ nodeId, output, version }) => [nodeId, { output, version }]));

/** Whether the node at a path is part of the workflow. */
export function hasNodeAt(definition: Definition, path: string): boolean {
  const loops = path.split(INSIDE);
  const id = loops.pop();
  return bodyAt(definition, loops).nodes.some((node) => node.id === id);
}

/** The pins of the nodes on the canvas. */
export function pinsAt(pins: StoredPins, path: readonly string[]): Pins {
  const prefix = pinPath(path, '');
  return Object.fromEntries(
    Object.entries(pins).flatMap(([at, { output }]) => {
      const id = at.startsWith(prefix) ? at.slice(prefix.length) : INSIDE;
      return id.includes(INSIDE) ? [] : [[id, output]];
    }),
  );
}

/** Undefined: no output is pinned. */
export const pinOf = ({ pins }: Pick<PinState, 'pins'>, path: string): unknown => pins[path]?.output;

/** Pins an output; undefined unpins. Its version stays that of the service. */
export function withPin({ pins }: Pick<PinState, 'pins'>, path: string, output: unknown): Pick<PinState, 'pins'> {
  const { [path]: before, ...others } = pins;
  return { pins: output === undefined ? others : { ...others, [path]: { output, version: before?.version ?? 0 } } };
}

/** The answer of the service to a pin. Its output has masked secrets; one that was pinned meanwhile stays. */
export function withStored(
  { pins }: Pick<PinState, 'pins'>,
  sent: unknown,
  { nodeId, output, version }: ListedPin,
): Pick<PinState, 'pins'> {
  const now = pins[nodeId];
  if (!now) return { pins };
  return { pins: { ...pins, [nodeId]: { output: now.output === sent ? output : now.output, version } } };
}

/** All pins as the service has them. Those that went with their nodes are remembered, because undo may bring the nodes back. */
export function withLoaded(draft: PinState & { definition: Definition }, pins: StoredPins): PinState {
  const gone = Object.entries(draft.pins).filter(([path]) => !(path in pins) && !hasNodeAt(draft.definition, path));
  return { pins, droppedPins: { ...draft.droppedPins, ...outputsOf(gone) } };
}

/**
 * After a save: the service has removed the pins of nodes that the saved version lacks. `returned`: pins to store again, because their
 * nodes are back.
 */
export function afterSave({ pins, droppedPins }: PinState, saved: Definition): { state: PinState; returned: Pins } {
  const gone = Object.entries(pins).filter(([path]) => !hasNodeAt(saved, path));
  const back = Object.entries(droppedPins).filter(([path]) => hasNodeAt(saved, path));
  const without = <Value>(all: Readonly<Record<string, Value>>, some: [string, unknown][]) =>
    Object.fromEntries(Object.entries(all).filter(([path]) => !some.some(([other]) => other === path)));
  return {
    state: { pins: without(pins, gone), droppedPins: { ...without(droppedPins, back), ...outputsOf(gone) } },
    returned: Object.fromEntries(back.filter(([path]) => !(path in pins))),
  };
}

const outputsOf = (pins: [string, StoredPin][]): Pins =>
  Object.fromEntries(pins.map(([path, { output }]) => [path, output]));
