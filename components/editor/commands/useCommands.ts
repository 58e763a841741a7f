import { groupsAmong, nodesAmong } from '@/components/graph/groups';
import { useOwnPalette } from '@/components/command-palette/requests';
import { commandsOf } from './commands';
import { useCan } from '@/components/client/useCan';
import type { Store } from '@/components/client/store';
import { selectedId, shown, useDraftStore, type Draft } from '../draft/draft';
import type { Side } from '../SideContent';
import { exportWorkflow } from '@/components/workflows/exchange';
import { SideContent } from '../lazy';
import type { Insertion } from '../palette/insertion';
import type { Edits } from '../draft/useEdits';
import { useStartRun } from '../run/useStartRun';
import type { View } from '../useView';
import type { useSave } from '../draft/useSave';
import type { Dialog } from './dialogs';
import type { Pinning } from '../pins/usePinning';
import { togglePin } from './toggle-pin';

interface Wiring {
  edits: Edits;
  view: View;
  saving: ReturnType<typeof useSave>;
  pinning: Pinning;
  /** Saves what a run uses: the draft and its pins. */
  saveForRun(): Promise<boolean>;
  /** Output of a node in the run shown. */
  outputOf(nodeId: string): unknown;
  onPublish(): void;
  onRun(executionId: string): void;
  onDialog(dialog: Dialog): void;
  onSide(side: Side): void;
  onOpen(nodeId: string): void;
  onPalette(insertion?: Insertion): void;
}

export type Commands = ReturnType<typeof useCommands>;

/** The commands of the editor. `start` runs the workflow with an input. */
export function useCommands({
  edits,
  view,
  saving,
  pinning,
  saveForRun,
  outputOf,
  onPublish,
  onRun,
  onDialog,
  onSide,
  onOpen,
  onPalette,
}: Wiring) {
  const store = useDraftStore();
  const can = useCan();
  useOwnPalette();
  const askInput = () => onDialog({ kind: 'input' });
  const { start, startOrAskInput, isStarting } = useStartRun(saveForRun, onRun, askInput);
  const one = (act: (id: string) => void) => () => {
    const id = selectedId(store.get());
    if (id !== undefined) act(id);
  };
  const list = commandsOf(edits, view, {
    ...availability(store),
    canShare: () => can('role:read') !== 'none',
    save: () => void saving.save(),
    run: startOrAskInput,
    undo: pinning.undo,
    redo: pinning.redo,
    openPalette: () => onPalette(),
    canBuild: () => can('credential:use') !== 'none',
    build: () => onDialog({ kind: 'build' }),
    replace: one((id) => onPalette({ kind: 'replace', id })),
    openNode: one(onOpen),
    rename: focusName,
    copy: () => void navigator.clipboard.writeText(edits.copied() ?? ''),
    pin: one((id) => togglePin(store, pinning, id, outputOf(id))),
    extract: () => onDialog({ kind: 'extract' }),
    publish: onPublish,
    showChecks: () => {
      edits.select([]);
      onSide('checks');
    },
    showKeys: () => onDialog({ kind: 'keys' }),
    showBar: () => onDialog({ kind: 'bar' }),
    showTriggers: () => onSide('triggers'),
    showRuns: () => {
      edits.select([]);
      onSide('runs');
    },
    showVersions: () => onSide('versions'),
    showSettings: () => onDialog({ kind: 'settings' }),
    showSharing: () => onDialog({ kind: 'share' }),
    showTests: () => onDialog({ kind: 'tests' }),
    exportJson: () => exportWorkflow({ ...store.get().saved, definition: store.get().definition }),
    clearSelection: () => edits.select([]),
  });
  return {
    list,
    do: (id: string) => list.find((command) => command.id === id)?.run(),
    start,
    isStarting,
    askInput,
  };
}

/** What the selection and the undo history allow. */
function availability(store: Store<Draft>) {
  const isSelected = (items: { id: string }[] = []) => items.some(({ id }) => id === selectedId(store.get()));
  return {
    hasSelection: () => store.get().selectedIds.length > 0,
    hasNode: () => isSelected(shown(store.get()).nodes),
    hasGroup: () => isSelected(shown(store.get()).groups),
    hasNodes: () => nodesAmong(shown(store.get()), store.get().selectedIds).size > 0,
    hasGroups: () => groupsAmong(shown(store.get()), store.get().selectedIds).length > 0,
    canUndo: () => store.get().past.length > 0,
    canRedo: () => store.get().future.length > 0,
  };
}

/** Focuses the name of the selected item: the text of a note or group on the canvas, or the node's name in the panel. */
function focusName(): void {
  document.querySelector<HTMLElement>('[data-renames]')?.click();
  void SideContent.load().then(() =>
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-node-name]')?.select()),
  );
}
