import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { Catalogue } from '@/components/graph/flow';
import { glide } from '@/components/canvas/glide';
import { FIT } from '@/components/canvas/KeepInView';
import type { LooseEnd } from '@/components/graph/edits/splice';
import { useIdle } from '@/components/client/useIdle';
import classes from '@/components/ui/states/Workbench.module.css';
import { CanvasTools } from './CanvasTools';
import { ActionsContext } from './commands/actions';
import { selectedId, shown, useDraft, useDraftStore } from './draft/draft';
import { DraftCanvas } from './DraftCanvas';
import { EditorBar } from './EditorBar';
import { EditorDialogs } from './EditorDialogs';
import { EditorSide } from './EditorSide';
import { CanvasMenu, OthersDrafts, preloadComponents, TestCallBar, Tour } from './lazy';
import { useInsertion } from './palette/useInsertion';
import { RunDataContext } from './run/run-data';
import { startNodeIn } from './run/sample';
import { useShownRun } from './run/useShownRun';
import type { Side } from './SideContent';
import { useAutosave } from './draft/useAutosave';
import { useCanvasEvents } from './useCanvasEvents';
import { useClipboard } from './commands/useClipboard';
import { useCommandKeys } from './commands/useCommandKeys';
import { useCommands } from './commands/useCommands';
import { useEdits } from './draft/useEdits';
import { useLeaveGuard } from './draft/useLeaveGuard';
import { usePlaces } from './usePlaces';
import { useSave } from './draft/useSave';
import { useCanvasTriggers } from './triggers/useCanvasTriggers';
import { HoverTools } from './tools/HoverTools';
import { useTestCall } from './triggers/useTestCall';
import { useView } from './useView';
import { useStatusChange } from './versions/useStatusChange';
import type { Dialog } from './commands/dialogs';

interface Props {
  types: NodeType[];
  catalogue: Catalogue;
  /** The run to open at first. */
  runId: string | undefined;
  /** What other people could not save as a version. */
  othersDrafts: InvalidDraftSummary[];
}

/**
 * The workflow editor: toolbar, canvas, palette, side panel and dialogs. Each component subscribes to its own part of
 * the draft, so that selecting or moving a node does not render this one.
 */
export function Editor({ types, catalogue, runId, othersDrafts }: Props) {
  const store = useDraftStore();
  const [side, setSide] = useState<Side | undefined>(runId ? 'run' : undefined);
  const [dialog, setDialog] = useState<Dialog>();
  const palette = useInsertion(catalogue);
  const run = useShownRun(runId, side === 'run');
  const { places, surface } = usePlaces();
  const flow = useReactFlow();
  const saving = useSave();
  useAutosave(saving.save);
  useLeaveGuard();
  useIdle(preloadComponents);
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
    void flow.fitView({ ...FIT, ...glide(250) });
  };
  const { publish, setStatus } = useStatusChange(saving, () => setDialog({ kind: 'publish' }));
  const commands = useCommands({
    outputOf: (id) => run.rounds.results.get(id)?.output,
    onPublish: () => void publish(),
    edits,
    view,
    saving,
    onRun: showRun,
    onDialog: setDialog,
    onSide: setSide,
    onOpen: openNode,
    onPalette: (target) =>
      palette.open(target ?? { kind: 'add', at: places.middle(), afterId: selectedId(store.get()) }),
  });
  useCommandKeys(commands.list);
  const { events, menu, closeMenu } = useCanvasEvents({
    catalogue,
    onOpen: openNode,
    onPut: palette.insertPick,
    onInsertion: (insertion) => palette.open(insertion, places.onSurface()),
    onPaste: edits.paste,
  });
  const runData = {
    execution: run.previewRun,
    results: run.rounds.results,
    rounds: run.rounds,
    save: saving.save,
    onStarted: run.show,
  };
  const testCall = useTestCall(showRun);
  const triggers = useCanvasTriggers(
    useDraft((draft) => draft.saved),
    {
      onOpen: (trigger, id) => setDialog({ kind: 'trigger', trigger, id }),
      onShowAll: () => setSide('triggers'),
    },
  );
  const showSample = () => {
    const start = startNodeIn(store.get().definition);
    if (start) openNode(start.id);
  };
  const actions = {
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

  const page = (
    <div className={classes.page}>
      <EditorBar
        commands={commands}
        catalogue={catalogue}
        hiddenRunId={run.hiddenId}
        onStatus={(status) => void setStatus(status)}
        onSide={setSide}
        onWebhookCalled={testCall.refresh}
      />
      <div className={classes.stage}>
        <div className={classes.canvas} {...surface}>
          <DraftCanvas catalogue={catalogue} results={run.results} events={events} triggers={triggers}>
            <HoverTools onCommand={commands.do} onMore={events.onMenu} />
            <CanvasTools
              testCallBar={
                (testCall.waiting ?? testCall.received) && (
                  <TestCallBar
                    testCall={testCall}
                    onShowSample={showSample}
                    onRun={(input) => void commands.start(input)}
                  />
                )
              }
              types={types}
              catalogue={catalogue}
              insertion={palette.insertion}
              palettePlace={palette.place}
              onPalette={() => (palette.insertion ? palette.close() : commands.do('add'))}
              onPick={(pick) => palette.insertion && palette.insertPick(pick, palette.insertion)}
              onTrigger={(trigger, preset) => {
                palette.close();
                setDialog({ kind: 'trigger', trigger, preset });
              }}
              onClosePalette={palette.close}
              onShowRun={run.execution && side !== 'run' ? () => setSide('run') : undefined}
            />
            {othersDrafts.length > 0 && <OthersDrafts drafts={othersDrafts} />}
          </DraftCanvas>
        </div>
        <EditorSide
          side={side}
          catalogue={catalogue}
          execution={run.execution}
          results={run.results}
          isInterrupted={run.isInterrupted}
          onSelect={view.show}
          onShow={view.showIn}
          onOpen={openNode}
          onRun={showRun}
          onClose={() => setSide(undefined)}
        />
      </div>
      <Tour />
      {menu && <CanvasMenu place={menu.place} commands={[...commands.list, ...menu.commands]} onClose={closeMenu} />}
      <EditorDialogs
        dialog={dialog}
        catalogue={catalogue}
        commands={commands}
        saving={saving}
        onShowNode={view.show}
        onShow={view.showIn}
        onDialog={setDialog}
      />
    </div>
  );
  return (
    <RunDataContext value={runData}>
      <ActionsContext value={actions}>{page}</ActionsContext>
    </RunDataContext>
  );
}
