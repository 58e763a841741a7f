import { notifications } from '@mantine/notifications';
import { useReactFlow } from '@xyflow/react';
import { useCallback, useMemo, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { Connection, Definition } from '@/contract/workflow';
import { removeConnections } from '../canvas/edits';
import type { CanvasEvents } from '../canvas/events';
import { wireId, type Catalogue } from '../canvas/flow';
import { glide } from '../canvas/glide';
import { FIT } from '../canvas/KeepInView';
import { splice, type LooseEnd } from '../canvas/splice';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { useIdle } from '../client/useIdle';
import { resultsOf } from '../executions/live';
import { useExecution } from '../executions/useExecution';
import classes from '../ui/Workbench.module.css';
import { kindOf, type MenuPlace } from './menu-place';
import { CanvasTools } from './CanvasTools';
import { ActionsContext } from './actions';
import type { Command } from './commands';
import { edited, issuesShown, selectedId, shown, useDraft, useDraftStore } from './draft';
import { EditorBar } from './EditorBar';
import { EditorDialogs, type Dialog } from './EditorDialogs';
import { EditorSide } from './EditorSide';
import { CanvasMenu, loadParts, Tour } from './parts';
import { readPick, type Pick } from './pick';
import { fulfil, type Purpose } from './purpose';
import { innerResults } from '../executions/rounds';
import { RunDataContext } from './run-data';
import type { Side } from './SideContent';
import { useAutosave } from './useAutosave';
import { useClipboard } from './useClipboard';
import { useCommandKeys } from './useCommandKeys';
import { useCommands } from './useCommands';
import { useEdits } from './useEdits';
import { useLastRun } from './useLastRun';
import { useLeaveGuard } from './useLeaveGuard';
import { usePlaces } from './usePlaces';
import { useSave } from './useSave';
import { useStale } from './useStale';
import { useView } from './useView';

/** A workflow on its canvas, with what surrounds it: the bar, the palette, the panel of a node or a run. */
export function Editor({ types, catalogue }: { types: NodeType[]; catalogue: Catalogue }) {
  const store = useDraftStore();
  const definition = useDraft(shown);
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const selectedIds = useDraft((draft) => draft.selectedIds);
  const issues = useDraft((draft) => draft.issues);
  const [executionId, setExecutionId] = useState<string>();
  const [side, setSide] = useState<Side>();
  const [dialog, setDialog] = useState<Dialog>();
  const [purpose, setPurpose] = useState<Purpose>();
  const [menu, setMenu] = useState<MenuPlace>();
  const lastRunId = useLastRun(store.get().saved.id, executionId);
  const { execution, isInterrupted } = useExecution(executionId);
  const { execution: lastRun } = useExecution(lastRunId);
  const { places, surface } = usePlaces();
  const flow = useReactFlow();
  const saving = useSave();
  useAutosave(saving.save);
  useLeaveGuard();
  useIdle(loadParts);

  const results = useMemo(() => innerResults(resultsOf(execution), path), [execution, path]);
  const data = useMemo(() => innerResults(resultsOf(execution ?? lastRun), path), [execution, lastRun, path]);
  const stale = useStale(execution ?? lastRun);
  const nodeIssues = useMemo(() => issuesShown({ definition: whole, path, issues }), [whole, path, issues]);
  const change = useCallback(
    (next: Definition, intent?: string) => store.set(edited(store.get(), next, intent)),
    [store],
  );
  const select = useCallback(
    (ids: readonly string[]) => {
      const before = store.get().selectedIds;
      if (ids.length !== before.length || ids.some((id, at) => id !== before[at])) store.set({ selectedIds: ids });
    },
    [store],
  );
  const edits = useEdits(catalogue, places);
  const view = useView();
  useClipboard(edits);

  const put = (pick: Pick, wanted: Purpose) => {
    setPurpose(undefined);
    const added = fulfil(shown(store.get()), catalogue, pick, wanted);
    if (!added) return;
    change(added.definition);
    select([added.id]);
  };
  const open = (id: string) => {
    select([id]);
    setDialog({ kind: 'node', nodeId: id });
  };
  const start = (id: string) => {
    setExecutionId(id);
    setSide('run');
    select([]);
    void flow.fitView({ ...FIT, ...glide(250) });
  };
  const commands = useCommands({
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

  const events: CanvasEvents = {
    onRefusal: (message) => notifications.show({ color: 'weld', message }),
    onLooseEnd: (end, at) => setPurpose({ kind: 'continue', end, at }),
    onInsert: (wire) => setPurpose({ kind: 'insert', wire }),
    onSplice: (id, wire) => store.set({ ...edited(store.get(), splice(shown(store.get()), catalogue, id, wire)) }),
    onDropType: (text, at, wire) => {
      const pick = readPick(text, catalogue);
      if (pick) put(pick, wire ? { kind: 'insert', wire } : { kind: 'add', at: { x: at.x - 118, y: at.y - 30 } });
    },
    onOpen: open,
    onMenu: (event, id) => {
      event.preventDefault();
      const isOfSeveral = selectedIds.length > 1 && (id === undefined || selectedIds.includes(id));
      if (id !== undefined && !isOfSeveral) select([id]);
      setMenu({ over: isOfSeveral ? 'selection' : kindOf(definition, id), x: event.clientX, y: event.clientY });
    },
    onWireMenu: (event, wire) => {
      event.preventDefault();
      setMenu({ over: 'wire', wire, x: event.clientX, y: event.clientY });
    },
  };
  const wireCommands = (wire: Connection): Command[] => [
    { id: 'insert', title: 'Insert a node', group: 'Add', run: () => setPurpose({ kind: 'insert', wire }) },
    {
      id: 'disconnect',
      title: 'Delete the connection',
      group: 'Edit',
      run: () => change(removeConnections(definition, new Set([wireId(wire)]))),
    },
  ];
  const closePalette = () => {
    setPurpose(undefined);
    document.querySelector<HTMLElement>('[data-opens="palette"]')?.focus();
  };

  const runData = {
    execution: execution ?? lastRun,
    results: data,
    stale,
    save: saving.save,
    onStarted: setExecutionId,
  };
  const actions = {
    showTriggers: () => {
      setDialog(undefined);
      select([]);
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
      <EditorBar commands={commands} saving={saving} onSide={setSide} />
      <div className={classes.stage}>
        <div className={classes.canvas} {...surface}>
          <WorkflowCanvas
            key={path.join('/')}
            definition={definition}
            catalogue={catalogue}
            results={results}
            issues={nodeIssues}
            selectedIds={selectedIds}
            onSelect={select}
            onChange={change}
            events={events}
          >
            <CanvasTools
              types={types}
              catalogue={catalogue}
              purpose={purpose}
              onPalette={() => (purpose ? closePalette() : commands.do('add'))}
              onPick={(pick) => purpose && put(pick, purpose)}
              onClosePalette={closePalette}
              onShowRun={execution && side !== 'run' ? () => setSide('run') : undefined}
            />
          </WorkflowCanvas>
        </div>
        <EditorSide
          side={side}
          catalogue={catalogue}
          execution={execution}
          results={results}
          isInterrupted={isInterrupted}
          onSelect={view.show}
          onOpen={open}
          onRun={start}
          onClose={() => setSide(undefined)}
        />
      </div>
      <Tour />
      {menu && (
        <CanvasMenu
          place={menu}
          commands={[...commands.list, ...(menu.wire ? wireCommands(menu.wire) : [])]}
          onClose={() => setMenu(undefined)}
        />
      )}
      <EditorDialogs
        dialog={dialog}
        catalogue={catalogue}
        commands={commands}
        saving={saving}
        onShowNode={view.show}
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
