import { notifications } from '@mantine/notifications';
import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { NodeType } from '@/contract/node-type';
import { isFinal } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { glide } from '../canvas/glide';
import { FIT } from '../canvas/KeepInView';
import type { LooseEnd } from '../canvas/splice';
import { useIdle } from '../client/useIdle';
import { useExecution } from '../executions/useExecution';
import { useRounds } from '../executions/useRounds';
import classes from '../ui/Workbench.module.css';
import { CanvasTools } from './CanvasTools';
import { ActionsContext } from './actions';
import { edited, selectedId, shown, useDraft, useDraftStore } from './draft';
import { DraftCanvas } from './DraftCanvas';
import { EditorBar } from './EditorBar';
import { EditorDialogs, type Dialog } from './EditorDialogs';
import { EditorSide } from './EditorSide';
import { CanvasMenu, loadParts, Tour } from './parts';
import type { Pick } from './pick';
import { fulfil, type Purpose } from './purpose';
import { RunDataContext } from './run-data';
import type { Side } from './SideContent';
import { useAutosave } from './useAutosave';
import { useCanvasEvents } from './useCanvasEvents';
import { useClipboard } from './useClipboard';
import { useCommandKeys } from './useCommandKeys';
import { useCommands } from './useCommands';
import { useEdits } from './useEdits';
import { useLastRun } from './useLastRun';
import { useLeaveGuard } from './useLeaveGuard';
import { usePlaces } from './usePlaces';
import { useSave } from './useSave';
import { useView } from './useView';

const STATUS_DONE: Record<Exclude<WorkflowStatus, 'active'>, string> = {
  draft: 'It is a draft again: schedules rest.',
  paused: 'It is paused: webhooks are refused, schedules rest.',
};
const NOT_SAVED = 'What is on the canvas could not be saved, so it can’t be published.';
const NO_RESULTS: ReadonlyMap<string, NodeResult> = new Map();

interface Props {
  types: NodeType[];
  catalogue: Catalogue;
  /** The run to begin with. */
  runId: string | undefined;
}

/**
 * A workflow on its canvas, with what surrounds it: the bar, the palette, the panel of a node or a run. What shows a part
 * of the draft watches that part by itself, so nothing here renders when somebody selects or moves a node.
 */
export function Editor({ types, catalogue, runId }: Props) {
  const store = useDraftStore();
  const path = useDraft((draft) => draft.path);
  const [executionId, setExecutionId] = useState(runId);
  const [side, setSide] = useState<Side | undefined>(runId ? 'run' : undefined);
  const [dialog, setDialog] = useState<Dialog>();
  const [purpose, setPurpose] = useState<Purpose>();
  const lastRunId = useLastRun(store.get().saved.id, executionId);
  const { execution, isInterrupted } = useExecution(executionId);
  const { execution: lastRun } = useExecution(lastRunId);
  const { places, surface } = usePlaces();
  const flow = useReactFlow();
  const saving = useSave();
  useAutosave(saving.save);
  useLeaveGuard();
  useIdle(loadParts);

  const isRunning = execution !== undefined && !isFinal(execution.status);
  const isRunSeen = useDraft((draft) => !isRunning || (side === 'run' && selectedId(draft) === undefined));
  const hiddenRunId = isRunSeen ? undefined : execution?.id;
  const rounds = useRounds(execution ?? lastRun, path);
  const results = execution ? rounds.results : NO_RESULTS;
  const edits = useEdits(catalogue, places);
  const view = useView();
  useClipboard(edits);

  const put = (pick: Pick, wanted: Purpose) => {
    setPurpose(undefined);
    const added = fulfil(shown(store.get()), catalogue, pick, wanted);
    if (!added) return;
    store.set({ ...edited(store.get(), added.definition), selectedIds: [added.id] });
  };
  const open = (id: string) => {
    edits.select([id]);
    setDialog({ kind: 'node', nodeId: id });
  };
  const start = (id: string) => {
    setExecutionId(id);
    setSide('run');
    edits.select([]);
    void flow.fitView({ ...FIT, ...glide(250) });
  };
  const publish = async () => {
    // What lacks something is saved all the same; the dialog tells what.
    if (await saving.save()) setDialog({ kind: 'publish' });
    else notifications.show({ color: 'madder', title: 'Not saved', message: store.get().refusal ?? NOT_SAVED });
  };
  const setStatus = async (status: WorkflowStatus) => {
    if (status === 'active') return publish();
    if (await saving.setStatus(status)) notifications.show({ color: 'verdigris', message: STATUS_DONE[status] });
  };
  const commands = useCommands({
    outputOf: (id) => rounds.results.get(id)?.output,
    onPublish: () => void publish(),
    edits,
    view,
    saving,
    onRun: start,
    onDialog: setDialog,
    onSide: setSide,
    onOpen: open,
    onPalette: (wanted) => setPurpose(wanted ?? { kind: 'add', at: places.middle(), afterId: selectedId(store.get()) }),
  });
  useCommandKeys(commands.list);

  const { events, menu, closeMenu } = useCanvasEvents({
    catalogue,
    onOpen: open,
    onPut: put,
    onPurpose: setPurpose,
    onPaste: edits.paste,
  });
  const closePalette = () => {
    setPurpose(undefined);
    document.querySelector<HTMLElement>('[data-opens="palette"]')?.focus();
  };

  const runData = {
    execution: execution ?? lastRun,
    results: rounds.results,
    rounds,
    save: saving.save,
    onStarted: setExecutionId,
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
      setPurpose({ kind: 'continue', end, at: { x: x + 320, y: y + 200 } });
    },
  };
  const page = (
    <div className={classes.page}>
      <EditorBar
        commands={commands}
        catalogue={catalogue}
        hiddenRunId={hiddenRunId}
        onStatus={(status) => void setStatus(status)}
        onSide={setSide}
      />
      <div className={classes.stage}>
        <div className={classes.canvas} {...surface}>
          <DraftCanvas catalogue={catalogue} results={results} events={events}>
            <CanvasTools
              types={types}
              catalogue={catalogue}
              purpose={purpose}
              onPalette={() => (purpose ? closePalette() : commands.do('add'))}
              onPick={(pick) => purpose && put(pick, purpose)}
              onClosePalette={closePalette}
              onShowRun={execution && side !== 'run' ? () => setSide('run') : undefined}
            />
          </DraftCanvas>
        </div>
        <EditorSide
          side={side}
          catalogue={catalogue}
          execution={execution}
          results={results}
          isInterrupted={isInterrupted}
          onSelect={view.show}
          onShow={view.showIn}
          onOpen={open}
          onRun={start}
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
