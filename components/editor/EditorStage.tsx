import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useStoreSlice } from '@/components/client/store';
import replayClasses from '@/components/runs/replay/ReplayBar.module.css';
import classes from '@/components/ui/states/Workbench.module.css';
import { CanvasTools } from './CanvasTools';
import { isAlmostEmpty } from './build/arrange';
import { singleSelectedId, useDraft, useDraftStore } from './draft/draft';
import { DraftCanvas } from './DraftCanvas';
import { EditorSidePanel } from './EditorSidePanel';
import {
  LazyConflictNotice,
  LazyDraftNotices,
  LazyEmptyCanvasPrompt,
  LazyLivePreview,
  LazyOtherPointers,
  LazyReplayBar,
  LazyTestCallBar,
} from './lazy-components';
import { otherPointersStore } from './presence/other-pointers';
import { findStartNode } from './run/sample-input';
import { HoveredNodeTools } from './tools/HoveredNodeTools';
import { useTriggerCards } from './triggers/useTriggerCards';
import type { useAwaitedTestCall } from './triggers/useAwaitedTestCall';
import type { EditorState } from './useEditorState';

interface Props {
  editor: EditorState;
  types: NodeTypeDescription[];
  catalogue: NodeTypesByName;
  testCall: ReturnType<typeof useAwaitedTestCall>;
  othersDrafts: InvalidDraftSummary[];
}

/** The canvas with its controls, and the side panel. */
export function EditorStage({ editor, types, catalogue, testCall, othersDrafts }: Props) {
  const { run, commands, canvas, view, openNode, showRun, setSide, setDialog } = editor;
  const hasOthers = useStoreSlice(otherPointersStore, (state) => state.others.length > 0);
  const isEmpty = useDraft(({ definition }) => isAlmostEmpty(definition));
  const isChanged = useDraft(({ past }) => past.length > 0);
  const mayBuild = commands.list.find(({ id }) => id === 'build')?.applies?.() !== false;
  const triggers = useTriggerCards(
    useDraft((draft) => draft.saved),
    {
      onOpen: (trigger, id) => setDialog({ kind: 'trigger', trigger, id }),
      onShowAll: () => setSide('triggers'),
    },
  );
  return (
    <div className={classes.stage}>
      <div className={classes.column}>
        <div className={classes.canvas} {...editor.surface}>
          <DraftCanvas
            catalogue={catalogue}
            execution={run.replay.shown}
            readRounds={run.execution && run.readRounds}
            events={canvas.events}
            triggers={triggers}
          >
            <HoveredNodeTools onCommand={commands.do} onMore={canvas.events.onMenu} />
            <ConnectedCanvasTools {...{ editor, types, catalogue, testCall, mayBuild }} />
            {othersDrafts.length > 0 && !editor.saving.contested && <LazyDraftNotices drafts={othersDrafts} />}
            {isEmpty && mayBuild && !editor.saving.contested && (
              <LazyEmptyCanvasPrompt
                onBuild={(instruction) => setDialog({ kind: 'build', instruction, isSent: true })}
              />
            )}
            {hasOthers && <LazyOtherPointers />}
            {isChanged && <LazyLivePreview catalogue={catalogue} />}
            {editor.saving.contested && (
              <LazyConflictNotice
                theirs={editor.saving.contested}
                catalogue={catalogue}
                onResolve={editor.saving.resolve}
                onShow={view.showIn}
              />
            )}
          </DraftCanvas>
        </div>
        <EditorReplay run={run} catalogue={catalogue} />
      </div>
      <EditorSidePanel
        side={editor.side}
        catalogue={catalogue}
        execution={run.execution}
        results={run.results}
        isInterrupted={run.isInterrupted}
        onSelect={view.show}
        onShow={view.showIn}
        onOpen={openNode}
        onRun={showRun}
        onRuns={() => setSide('runs')}
        onClose={() => setSide(undefined)}
      />
    </div>
  );
}

/** The slider over the time of the run that the canvas shows. */
function EditorReplay({ run, catalogue }: Pick<EditorState, 'run'> & { catalogue: NodeTypesByName }) {
  const definition = useDraft((draft) => draft.definition);
  if (!run.execution) return null;
  return (
    <div className={replayClasses.strip}>
      <LazyReplayBar execution={run.execution} definition={definition} catalogue={catalogue} replay={run.replay} />
    </div>
  );
}

function ConnectedCanvasTools({
  editor,
  types,
  catalogue,
  testCall,
  mayBuild,
}: Omit<Props, 'othersDrafts'> & { mayBuild: boolean }) {
  const store = useDraftStore();
  const { palette, run, commands, side, openNode, setSide, setDialog } = editor;
  // The panel of a selected node is shown instead of that of the run.
  const isRunCovered = useDraft((draft) => singleSelectedId(draft) !== undefined);
  const showSample = () => {
    const start = findStartNode(store.get().definition, testCall.startNodeId);
    if (start) openNode(start.id);
  };
  return (
    <CanvasTools
      testCallBar={
        (testCall.waiting ?? testCall.received) && (
          <LazyTestCallBar
            testCall={testCall}
            onShowSample={showSample}
            onRun={(input) => void commands.start(input, testCall.startNodeId)}
          />
        )
      }
      types={types}
      catalogue={catalogue}
      insertion={palette.insertion}
      palettePlace={palette.place}
      onPalette={() => (palette.insertion ? palette.close(false) : commands.do('add'))}
      onBuild={mayBuild ? () => commands.do('build') : undefined}
      onPick={(pick, isByFinger) => palette.insertion && palette.insertPick(pick, palette.insertion, isByFinger)}
      onCommand={(id) => {
        palette.close(true);
        commands.do(id);
      }}
      onTrigger={(trigger, preset) => {
        palette.close(true);
        setDialog({ kind: 'trigger', trigger, preset });
      }}
      onClosePalette={palette.close}
      onShowRun={run.execution && (isRunCovered || side !== 'run') ? () => setSide('run') : undefined}
    />
  );
}
