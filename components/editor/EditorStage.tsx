import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import classes from '@/components/ui/states/Workbench.module.css';
import { CanvasTools } from './CanvasTools';
import { useDraft, useDraftStore } from './draft/draft';
import { DraftCanvas } from './DraftCanvas';
import { EditorSidePanel } from './EditorSidePanel';
import { LazyDraftNotices, LazyTestCallBar } from './lazy-components';
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
  const triggers = useTriggerCards(
    useDraft((draft) => draft.saved),
    {
      onOpen: (trigger, id) => setDialog({ kind: 'trigger', trigger, id }),
      onShowAll: () => setSide('triggers'),
    },
  );
  return (
    <div className={classes.stage}>
      <div className={classes.canvas} {...editor.surface}>
        <DraftCanvas
          catalogue={catalogue}
          readRounds={run.execution && run.readRounds}
          events={canvas.events}
          triggers={triggers}
        >
          <HoveredNodeTools onCommand={commands.do} onMore={canvas.events.onMenu} />
          <ConnectedCanvasTools editor={editor} types={types} catalogue={catalogue} testCall={testCall} />
          {othersDrafts.length > 0 && <LazyDraftNotices drafts={othersDrafts} />}
        </DraftCanvas>
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

function ConnectedCanvasTools({ editor, types, catalogue, testCall }: Omit<Props, 'othersDrafts'>) {
  const store = useDraftStore();
  const { palette, run, commands, side, openNode, setSide, setDialog } = editor;
  const mayBuild = commands.list.find(({ id }) => id === 'build')?.applies?.() !== false;
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
      onPick={(pick, isByMouse) => palette.insertion && palette.insertPick(pick, palette.insertion, isByMouse)}
      onCommand={(id) => {
        palette.close(true);
        commands.do(id);
      }}
      onTrigger={(trigger, preset) => {
        palette.close(true);
        setDialog({ kind: 'trigger', trigger, preset });
      }}
      onClosePalette={palette.close}
      onShowRun={run.execution && side !== 'run' ? () => setSide('run') : undefined}
    />
  );
}
