import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { groupsAmong, nodesAmong } from '../canvas/groups';
import type { Schema } from '../forms/schema';
import { commandsOf } from './commands';
import type { Store } from '../client/store';
import { selectedId, shown, useDraftStore, type Draft } from './draft';
import { pinAsStep, redo, undo } from './history';
import type { Dialog } from './EditorDialogs';
import type { Side } from './SideContent';
import { exportWorkflow } from '../workflows/exchange';
import { SideContent } from './parts';
import { pinOf } from './pins';
import type { Purpose } from './purpose';
import type { Edits } from './useEdits';
import { useRun } from './useRun';
import type { View } from './useView';
import type { useSave } from './useSave';

interface Wiring {
  edits: Edits;
  view: View;
  saving: ReturnType<typeof useSave>;
  /** What a node gave in the run shown. */
  outputOf(nodeId: string): unknown;
  onPublish(): void;
  onRun(executionId: string): void;
  onDialog(dialog: Dialog): void;
  onSide(side: Side): void;
  onOpen(nodeId: string): void;
  onPalette(purpose?: Purpose): void;
}

export type Commands = ReturnType<typeof useCommands>;

/** The editor's commands, ready to run; `start` runs the workflow with an input. */
export function useCommands({
  edits,
  view,
  saving,
  outputOf,
  onPublish,
  onRun,
  onDialog,
  onSide,
  onOpen,
  onPalette,
}: Wiring) {
  const store = useDraftStore();
  const [isStarting, setStarting] = useState(false);
  const run = useRun(onRun);

  const start = async (input: Record<string, unknown>) => {
    setStarting(true);
    const isSaved = await saving.save();
    setStarting(false);
    const { saved, refusal } = store.get();
    if (isSaved) return run.mutate({ params: { id: saved.id }, body: { input, useLatest: true } });
    notifications.show({
      color: 'madder',
      title: 'Not started',
      message: refusal ?? 'What is on the canvas could not be saved, so it was not run.',
    });
  };
  const begin = () => {
    const { nodes } = store.get().definition;
    const schema = nodes.find((node) => node.type === 'start')?.config.inputSchema as Schema | undefined;
    if (schema) onDialog({ kind: 'input' });
    else void start({});
  };
  const one = (act: (id: string) => void) => () => {
    const id = selectedId(store.get());
    if (id !== undefined) act(id);
  };
  const isSelected = (items: { id: string }[] = []) => items.some(({ id }) => id === selectedId(store.get()));
  const list = commandsOf(edits, view, {
    hasSelection: () => store.get().selectedIds.length > 0,
    hasNode: () => isSelected(shown(store.get()).nodes),
    hasGroup: () => isSelected(shown(store.get()).groups),
    hasNodes: () => nodesAmong(shown(store.get()), store.get().selectedIds).size > 0,
    hasGroups: () => groupsAmong(shown(store.get()), store.get().selectedIds).length > 0,
    canUndo: () => store.get().past.length > 0,
    canRedo: () => store.get().future.length > 0,
    save: () => void saving.save(),
    run: begin,
    undo: () => undo(store) || tell(NO_ROOM),
    redo: () => redo(store) || tell(NO_ROOM),
    openPalette: () => onPalette(),
    replace: one((id) => onPalette({ kind: 'replace', id })),
    openNode: one(onOpen),
    rename: () => {
      document.querySelector<HTMLElement>('[data-renames]')?.click();
      void SideContent.load().then(() =>
        requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-node-name]')?.select()),
      );
    },
    copy: () => void navigator.clipboard.writeText(edits.copied() ?? ''),
    pin: one((id) => togglePin(store, id, outputOf(id))),
    extract: () => onDialog({ kind: 'extract' }),
    publish: onPublish,
    showChecks: () => {
      edits.select([]);
      onSide('checks');
    },
    showKeys: () => onDialog({ kind: 'keys' }),
    showBar: () => onDialog({ kind: 'bar' }),
    showTriggers: () => onSide('triggers'),
    showVersions: () => onSide('versions'),
    exportJson: () => exportWorkflow({ ...store.get().saved, definition: store.get().definition }),
    clearSelection: () => edits.select([]),
  });
  return {
    list,
    do: (id: string) => list.find((command) => command.id === id)?.run(),
    start,
    isStarting: isStarting || run.isPending,
    askInput: () => onDialog({ kind: 'input' }),
  };
}

const NO_ROOM = 'Not pinned: the output is too large for this browser to keep.';
const tell = (message: string): void => void notifications.show({ color: 'weld', message });

/** Tells what came of it: with no panel open, a pin is not to be seen. */
function togglePin(store: Store<Draft>, nodeId: string, output: unknown): void {
  const wasPinned = pinOf(store.get().saved.id, nodeId) !== undefined;
  if (!wasPinned && output === undefined) return tell('There is no output to pin yet: run the workflow once.');
  if (!pinAsStep(store, nodeId, wasPinned ? undefined : output)) return tell(NO_ROOM);
  tell(wasPinned ? 'The output is no longer pinned.' : 'The output is pinned: expressions are tried with it.');
}
