import type { PinnedOutput } from '@/contract/workflows/pin';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionAtPath } from '@/components/graph/body';

/** Outputs of nodes on the canvas by their ids, pinned or examples. */
export type OutputsByNode = Readonly<Record<string, unknown>>;

/** A pinned output. `version`: that of the pin in the service; 0: it has none yet. */
export interface StoredPinnedOutput {
  output: unknown;
  version: number;
}

/** The pins of a workflow. The path of a node is its id, inside of loops `loop[].inner`. */
export type PinnedOutputsByPath = Readonly<Record<string, StoredPinnedOutput>>;

/** The pins of a workflow in the editor. */
export interface EditorPinState {
  pins: PinnedOutputsByPath;
  /** Outputs whose pins went with their nodes. A node that comes back (undo) is pinned again. */
  droppedPins: OutputsByNode;
}

const PIN_PATH_SEPARATOR = '[].';

/** The path of a node on the canvas. `path`: the opened loops. */
export const pinnedNodePath = (path: readonly string[], nodeId: string): string =>
  [...path, nodeId].join(PIN_PATH_SEPARATOR);

/** A pin in a response of the service. */
export type PinResponse = Pick<PinnedOutput, 'nodeId' | 'version'> & Partial<Pick<PinnedOutput, 'output'>>;

export const indexPinsByPath = (pins: readonly PinResponse[]): PinnedOutputsByPath =>
  Object.fromEntries(pins.map(({ nodeId, output, version }) => [nodeId, { output, version }]));

/** Whether the node at a path is part of the workflow. */
export function hasNodeAtPinPath(definition: WorkflowDefinition, path: string): boolean {
  const loops = path.split(PIN_PATH_SEPARATOR);
  const id = loops.pop();
  return definitionAtPath(definition, loops).nodes.some((node) => node.id === id);
}

/** The pins of the nodes on the canvas. */
export function pinnedOutputsAt(pins: PinnedOutputsByPath, path: readonly string[]): OutputsByNode {
  const prefix = pinnedNodePath(path, '');
  return Object.fromEntries(
    Object.entries(pins).flatMap(([at, { output }]) => {
      const id = at.startsWith(prefix) ? at.slice(prefix.length) : PIN_PATH_SEPARATOR;
      return id.includes(PIN_PATH_SEPARATOR) ? [] : [[id, output]];
    }),
  );
}

/** Undefined: no output is pinned. */
export const findPinnedOutput = ({ pins }: Pick<EditorPinState, 'pins'>, path: string): unknown => pins[path]?.output;

/** Pins an output; undefined unpins. Its version stays that of the service. */
export function setPinnedOutput(
  { pins }: Pick<EditorPinState, 'pins'>,
  path: string,
  output: unknown,
): Pick<EditorPinState, 'pins'> {
  const { [path]: before, ...others } = pins;
  return { pins: output === undefined ? others : { ...others, [path]: { output, version: before?.version ?? 0 } } };
}

/**
 * Applies the response of the service to a pin. Its output has masked secrets. An output that was pinned meanwhile
 * stays.
 */
export function applyStoredPin(
  { pins }: Pick<EditorPinState, 'pins'>,
  sent: unknown,
  { nodeId, output, version }: PinResponse,
): Pick<EditorPinState, 'pins'> {
  const now = pins[nodeId];
  if (!now) return { pins };
  return { pins: { ...pins, [nodeId]: { output: now.output === sent ? output : now.output, version } } };
}

/**
 * Replaces all pins by those of the service. Pins that were removed with their nodes are remembered, because undo may
 * restore the nodes.
 */
export function applyLoadedPins(
  draft: EditorPinState & { definition: WorkflowDefinition },
  pins: PinnedOutputsByPath,
): EditorPinState {
  const gone = Object.entries(draft.pins).filter(
    ([path]) => !(path in pins) && !hasNodeAtPinPath(draft.definition, path),
  );
  return { pins, droppedPins: { ...draft.droppedPins, ...pinnedOutputsByPath(gone) } };
}

/**
 * After a save: the service has removed the pins of nodes that the saved version lacks. `returned`: pins to store
 * again, because their nodes are back.
 */
export function reconcilePinsOnSave(
  { pins, droppedPins }: EditorPinState,
  saved: WorkflowDefinition,
): { state: EditorPinState; returned: OutputsByNode } {
  const gone = Object.entries(pins).filter(([path]) => !hasNodeAtPinPath(saved, path));
  const back = Object.entries(droppedPins).filter(([path]) => hasNodeAtPinPath(saved, path));
  const without = <Value>(all: Readonly<Record<string, Value>>, some: [string, unknown][]) =>
    Object.fromEntries(Object.entries(all).filter(([path]) => !some.some(([other]) => other === path)));
  return {
    state: { pins: without(pins, gone), droppedPins: { ...without(droppedPins, back), ...pinnedOutputsByPath(gone) } },
    returned: Object.fromEntries(back.filter(([path]) => !(path in pins))),
  };
}

const pinnedOutputsByPath = (pins: [string, StoredPinnedOutput][]): OutputsByNode =>
  Object.fromEntries(pins.map(([path, { output }]) => [path, output]));
