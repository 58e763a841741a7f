import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useState } from 'react';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { takeBuildPrompt } from '@/components/client/build-prompt';
import { usePermissions } from '@/components/client/usePermissions';
import { canvasAnimation } from '@/components/canvas/canvas-animation';
import { fitWorkflowOptions } from '@/components/canvas/fit-view';
import { agentPartId, partOwnerId, type AgentPart } from '@/components/graph/agent-parts';
import type { OpenConnectionEnd } from '@/components/graph/edits/insert-nodes';
import type { EditorActions } from './commands/editor-actions';
import type { EditorDialog } from './commands/editor-dialogs';
import { useNodeClipboard } from './commands/useNodeClipboard';
import { useCommandKeys } from './commands/useCommandKeys';
import { useEditorCommands } from './commands/useEditorCommands';
import { singleSelectedId, canvasDefinition, editCanvas, FIRST_FORM_FIELD, useDraftStore } from './draft/draft';
import { addAgentMemory } from './node/agent/agent-edits';
import { useSelectionEdits } from './draft/useSelectionEdits';
import { useAutosavedDraft } from './draft/useAutosavedDraft';
import { useOutputPinning } from './pins/useOutputPinning';
import { useNodeInsertion } from './palette/useNodeInsertion';
import type { EditorRun } from './run/editor-run';
import { useDisplayedRun } from './run/useDisplayedRun';
import type { SidePanelView } from './SidePanelContent';
import { useCanvasEvents } from './useCanvasEvents';
import { useCanvasPositions } from './useCanvasPositions';
import { useCanvasView } from './useCanvasView';
import { useStatusChange } from './versions/useStatusChange';

export type EditorState = ReturnType<typeof useEditorState>;

/**
 * The state of the editor: what is open in it, and the functions that its parts call. `runId` is the run to open at
 * first.
 */
export function useEditorState(catalogue: NodeTypesByName, runId: string | undefined) {
  const store = useDraftStore();
  const [side, setSideView] = useState<SidePanelView | undefined>(runId ? 'run' : undefined);
  // A selected node has the side panel, so that a view which is asked for takes the selection away.
  const setSide = (view: SidePanelView | undefined) => {
    if (view) store.set({ selectedIds: [] });
    setSideView(view);
  };
  const [dialog, setDialog] = useState<EditorDialog | undefined>(() => {
    const instruction = takeBuildPrompt(store.get().saved.id);
    return instruction === undefined ? undefined : { kind: 'build', instruction, isSent: true };
  });
  const palette = useNodeInsertion(catalogue);
  const run = useDisplayedRun(runId, side === 'run');
  const { places, surface } = useCanvasPositions();
  const flow = useReactFlow();
  const saving = useAutosavedDraft();
  const pinning = useOutputPinning(saving.save);
  const saveForRun = async () => {
    const isSaved = await saving.save();
    await pinning.settled();
    return isSaved;
  };
  const edits = useSelectionEdits(catalogue, places);
  const view = useCanvasView();
  useNodeClipboard(edits);

  const openNode = (id: string) => {
    edits.select([id]);
    setDialog({ kind: 'node', nodeId: id });
  };
  const showRun = (id: string) => {
    run.show(id);
    setSide('run');
    void flow.fitView({ ...fitWorkflowOptions(flow), ...canvasAnimation(250) });
  };
  const { publish, goLive, setStatus } = useStatusChange(saving, setDialog);
  const addPart = (agentId: string, kind: AgentPart['kind'], place?: XYPosition) => {
    if (kind === 'tool') return palette.open({ kind: 'part', agentId }, place);
    const focus = { nodeId: agentId, field: FIRST_FORM_FIELD };
    // A model is always there. It is chosen in its panel.
    if (kind === 'model') return store.set({ selectedIds: [agentPartId(agentId, { kind })], focus });
    const added = addAgentMemory(canvasDefinition(store.get()), agentId);
    if (added) store.set({ ...editCanvas(store.get(), added.definition), selectedIds: [added.id], focus });
  };
  const commands = useEditorCommands({
    outputOf: (id) => run.rounds.results.get(id)?.output,
    onPublish: () => void publish(),
    edits,
    view,
    saving,
    pinning,
    saveForRun,
    onRun: showRun,
    onDialog: setDialog,
    onSide: setSide,
    onOpen: openNode,
    onPart: addPart,
    onPalette: (target) =>
      palette.open(target ?? { kind: 'add', at: places.middle(), afterId: singleSelectedId(store.get()) }),
  });
  useCommandKeys(commands.list);
  const canvas = useCanvasEvents({
    catalogue,
    onOpen: openNode,
    onPut: (pick, insertion) => palette.insertPick(pick, insertion, false),
    onInsertion: (insertion) => palette.open(insertion, places.onSurface()),
    onAddPart: (agentId, kind) => addPart(agentId, kind, places.onSurface()),
    edits,
  });
  const panels = { side, setSide, dialog, setDialog };
  const storing = { saving, pinning, saveForRun };
  return {
    ...panels,
    ...storing,
    palette,
    run,
    surface,
    edits,
    view,
    commands,
    canvas,
    openNode,
    showRun,
    goLive,
    setStatus,
  };
}

/** The run shown, for the parts of the editor that read its data. */
export const editorRunFromState = ({ run, saveForRun }: EditorState): EditorRun => ({
  execution: run.previewRun,
  latest: run.latest,
  results: run.rounds.results,
  rounds: run.rounds,
  readRounds: run.readRounds,
  save: saveForRun,
  onStarted: run.show,
});

/** The actions that the forms of nodes can call in the editor around them. */
export function useActionsFromState({ edits, palette, pinning, setDialog, setSide }: EditorState): EditorActions {
  const store = useDraftStore();
  const can = usePermissions();
  const showInPlace = (nodeId: string) =>
    setDialog((open) => (open?.kind === 'node' ? { kind: 'node', nodeId } : open));
  return {
    pin: pinning.pin,
    build: can('credential:use') === 'none' ? undefined : (instruction) => setDialog({ kind: 'build', instruction }),
    showPart: (partId) => {
      store.set({ selectedIds: [partId] });
      showInPlace(partId);
    },
    removePart: (partId) => {
      edits.removeItems([partId]);
      showInPlace(partOwnerId(partId));
    },
    showTriggers: () => {
      setDialog(undefined);
      setSide('triggers');
    },
    continueFrom: (end: OpenConnectionEnd) => {
      setDialog(undefined);
      const { x = 0, y = 0 } = canvasDefinition(store.get()).nodes.find(({ id }) => id === end.nodeId)?.position ?? {};
      palette.open({ kind: 'continue', end, at: { x: x + 320, y: y + 200 } });
    },
  };
}
