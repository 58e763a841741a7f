import { selectedGroups, selectedNodeIds } from '@/components/graph/groups';
import { usePagePalette } from '@/components/command-palette/requests';
import { parseAgentPartId, partOwnerId, type AgentPart } from '@/components/graph/agent-parts';
import { readAgentTools } from '@/components/graph/agent';
import { buildEditorCommands } from './editor-commands';
import { usePermissions } from '@/components/client/usePermissions';
import type { ObservableStore } from '@/components/client/store';
import { singleSelectedId, canvasDefinition, useDraftStore, type EditorDraft } from '../draft/draft';
import { hasLoopFrame, toggleSelectedLoop } from '../frames/open-loops';
import type { SidePanelView } from '../SidePanelContent';
import { LazySideContent } from '../lazy-components';
import type { NodeInsertion } from '../palette/node-insertion';
import type { SelectionEdits } from '../draft/useSelectionEdits';
import { useSaveAndRun } from '../run/useSaveAndRun';
import type { CanvasViewControls } from '../useCanvasView';
import type { useDraftSave } from '../draft/useDraftSave';
import type { EditorDialog } from './editor-dialogs';
import type { PinningControls } from '../pins/useOutputPinning';
import { togglePinnedOutput } from './toggle-pin';

interface CommandWiring {
  edits: SelectionEdits;
  view: CanvasViewControls;
  saving: ReturnType<typeof useDraftSave>;
  pinning: PinningControls;
  /** Saves what a run uses: the draft and its pins. */
  saveForRun(): Promise<boolean>;
  /** Output of a node in the run shown. */
  outputOf(nodeId: string): unknown;
  onPublish(): void;
  onRun(executionId: string): void;
  onDialog(dialog: EditorDialog): void;
  onSide(side: SidePanelView): void;
  onOpen(nodeId: string): void;
  onPalette(insertion?: NodeInsertion): void;
  /** Adds a part to an agent; a tool is chosen in the palette. */
  onPart(agentId: string, kind: AgentPart['kind']): void;
}

export type CommandControls = ReturnType<typeof useEditorCommands>;

/** The commands of the editor. `start` runs the workflow with an input. */
export function useEditorCommands({
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
  onPart,
}: CommandWiring) {
  const store = useDraftStore();
  const can = usePermissions();
  usePagePalette();
  const askInput = () => onDialog({ kind: 'input' });
  const { start, startOrAskInput, isStarting } = useSaveAndRun(saveForRun, onRun, askInput);
  const one = (act: (id: string) => void) => () => {
    const id = singleSelectedId(store.get());
    if (id !== undefined) act(id);
  };
  const list = buildEditorCommands(edits, view, {
    ...commandAvailability(store),
    canShare: () => can('role:read') !== 'none',
    save: () => void saving.save(),
    run: startOrAskInput,
    undo: pinning.undo,
    redo: pinning.redo,
    openPalette: () => onPalette(),
    addTool: one((id) => onPart(partOwnerId(id), 'tool')),
    addModel: one((id) => onPart(partOwnerId(id), 'model')),
    addMemory: one((id) => onPart(partOwnerId(id), 'memory')),
    canBuild: () => can('credential:use') !== 'none',
    build: () => onDialog({ kind: 'build' }),
    replace: one((id) => onPalette({ kind: 'replace', id })),
    openNode: one(onOpen),
    rename: focusSelectedName,
    copy: () => void navigator.clipboard.writeText(edits.copied() ?? ''),
    pin: one((id) => togglePinnedOutput(store, pinning, id, outputOf(id))),
    toggleLoop: () => store.set(toggleSelectedLoop(store.get())),
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
    showOrigin: () => onDialog({ kind: 'origin' }),
    exportJson: () => {
      const { saved, definition } = store.get();
      void import('@/components/workflows/exchange').then(({ exportWorkflow }) =>
        exportWorkflow({ ...saved, definition }),
      );
    },
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

/** Tells which commands the selection and the undo history allow. */
function commandAvailability(store: ObservableStore<EditorDraft>) {
  const selectedAgent = () => {
    const id = partOwnerId(singleSelectedId(store.get()) ?? '');
    return canvasDefinition(store.get()).nodes.find((node) => node.id === id && node.type === 'agent');
  };
  const isPartSelected = () =>
    parseAgentPartId(singleSelectedId(store.get()) ?? '') !== undefined && selectedAgent() !== undefined;
  const isSelected = (items: { id: string }[] = []) => items.some(({ id }) => id === singleSelectedId(store.get()));
  return {
    hasSelection: () => store.get().selectedIds.length > 0,
    hasNode: () => isSelected(canvasDefinition(store.get()).nodes),
    mayOpen: () => isSelected(canvasDefinition(store.get()).nodes) || isPartSelected(),
    mayMoveTool: (by: number) => {
      const { part } = parseAgentPartId(singleSelectedId(store.get()) ?? '') ?? {};
      const tools = readAgentTools(selectedAgent()?.config ?? {});
      return part?.kind === 'tool' && tools[part.index + by] !== undefined;
    },
    hasAgent: () => selectedAgent() !== undefined,
    mayAddMemory: () => selectedAgent()?.config.memory === undefined && selectedAgent() !== undefined,
    hasGroup: () => isSelected(canvasDefinition(store.get()).groups),
    hasNodes: () => selectedNodeIds(canvasDefinition(store.get()), store.get().selectedIds).size > 0,
    hasGroups: () => selectedGroups(canvasDefinition(store.get()), store.get().selectedIds).length > 0,
    hasLoop: () => hasLoopFrame(store.get()),
    canUndo: () => store.get().past.length > 0,
    canRedo: () => store.get().future.length > 0,
  };
}

/**
 * Focuses the name of the selected item: the text of a note or group on the canvas, or the node's name in the panel.
 */
function focusSelectedName(): void {
  document.querySelector<HTMLElement>('[data-renames]')?.click();
  void LazySideContent.load().then(() =>
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-node-name]')?.select()),
  );
}
