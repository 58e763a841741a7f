import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import type { Catalogue } from '@/components/graph/flow';
import { useCan } from '@/components/client/useCan';
import { animated } from '@/components/canvas/animated';
import { wholeOf } from '@/components/canvas/fit';
import type { LooseEnd } from '@/components/graph/edits/splice';
import type { Actions } from './commands/actions';
import type { Dialog } from './commands/dialogs';
import { useClipboard } from './commands/useClipboard';
import { useCommandKeys } from './commands/useCommandKeys';
import { useCommands } from './commands/useCommands';
import { selectedId, shown, useDraftStore } from './draft/draft';
import { useEdits } from './draft/useEdits';
import { useSaving } from './draft/useSaving';
import { usePinning } from './pins/usePinning';
import { useInsertion } from './palette/useInsertion';
import type { RunData } from './run/run-data';
import { useShownRun } from './run/useShownRun';
import type { Side } from './SideContent';
import { useCanvasEvents } from './useCanvasEvents';
import { usePlaces } from './usePlaces';
import { useView } from './useView';
import { useStatusChange } from './versions/useStatusChange';

export type EditorState = ReturnType<typeof useEditor>;

/** What is open in the editor, and what its parts do. `runId`: the run to open at first. */
export function useEditor(catalogue: Catalogue, runId: string | undefined) {
  const store = useDraftStore();
  const [side, setSide] = useState<Side | undefined>(runId ? 'run' : undefined);
  const [dialog, setDialog] = useState<Dialog>();
  const palette = useInsertion(catalogue);
  const run = useShownRun(runId, side === 'run');
  const { places, surface } = usePlaces();
  const flow = useReactFlow();
  const saving = useSaving();
  const pinning = usePinning(saving.save);
  const saveForRun = async () => {
    const isSaved = await saving.save();
    await pinning.settled();
    return isSaved;
  };
  const edits = useEdits(catalogue, places);
  const view = useView();
  useClipboard(edits);

  const openNode = (id: string) => {
    edits.select([id]);
    setDialog({ kind: 'node', nodeId: id });
  };
  const showRun = (id: string) => {
    run.show(id);
    setSide('run');
    edits.select([]);
    void flow.fitView({ ...wholeOf(flow), ...animated(250) });
  };
  const { publish, setStatus } = useStatusChange(saving, () => setDialog({ kind: 'publish' }));
  const commands = useCommands({
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
    onPalette: (target) =>
      palette.open(target ?? { kind: 'add', at: places.middle(), afterId: selectedId(store.get()) }),
  });
  useCommandKeys(commands.list);
  const canvas = useCanvasEvents({
    catalogue,
    onOpen: openNode,
    onPut: (pick, insertion) => palette.insertPick(pick, insertion, true),
    onInsertion: (insertion) => palette.open(insertion, places.onSurface()),
    onPaste: edits.paste,
  });
  const panels = { side, setSide, dialog, setDialog };
  const storing = { saving, pinning, saveForRun };
  return { ...panels, ...storing, palette, run, surface, edits, view, commands, canvas, openNode, showRun, setStatus };
}

/** The run shown, for the parts of the editor that read its data. */
export const runDataOf = ({ run, saveForRun }: EditorState): RunData => ({
  execution: run.previewRun,
  results: run.rounds.results,
  rounds: run.rounds,
  save: saveForRun,
  onStarted: run.show,
});

/** What forms of nodes can do in the editor around them. */
export function useActionsOf({ palette, edits, pinning, setDialog, setSide }: EditorState): Actions {
  const store = useDraftStore();
  const can = useCan();
  return {
    pin: pinning.pin,
    build: can('credential:use') === 'none' ? undefined : (instruction) => setDialog({ kind: 'build', instruction }),
    showTriggers: () => {
      setDialog(undefined);
      edits.select([]);
      setSide('triggers');
    },
    continueFrom: (end: LooseEnd) => {
      setDialog(undefined);
      const { x = 0, y = 0 } = shown(store.get()).nodes.find(({ id }) => id === end.nodeId)?.position ?? {};
      palette.open({ kind: 'continue', end, at: { x: x + 320, y: y + 200 } });
    },
  };
}
