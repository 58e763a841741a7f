import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconListCheck } from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { Definition } from '@/contract/workflow';
import { addAfter, addNode } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';
import { FIT } from '../canvas/KeepInView';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { resultsOf } from '../executions/live';
import { RunPanel } from '../executions/RunPanel';
import { useExecution } from '../executions/useExecution';
import { SidePanel } from '../ui/SidePanel';
import classes from '../ui/Workbench.module.css';
import { changed, issuesByNode, useDraft, useDraftStore } from './draft';
import { EditorBar } from './EditorBar';
import { NodePanel } from './NodePanel';
import { Palette } from './Palette';
import { useLeaveGuard } from './useLeaveGuard';

/** A workflow on its canvas, with what surrounds it: the bar, the palette, the panel of a node or a run. */
export function Editor({ types, catalogue }: { types: NodeType[]; catalogue: Catalogue }) {
  const store = useDraftStore();
  const definition = useDraft((draft) => draft.definition);
  const selectedId = useDraft((draft) => draft.selectedId);
  const issues = useDraft((draft) => draft.issues);
  const [executionId, setExecutionId] = useState<string>();
  const [isRunShown, setRunShown] = useState(false);
  const { execution, isInterrupted } = useExecution(executionId);
  const canvas = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  useLeaveGuard();

  const results = useMemo(() => resultsOf(execution), [execution]);
  const nodeIssues = useMemo(() => issuesByNode(definition, issues), [definition, issues]);
  const change = useCallback((next: Definition) => store.set(changed(store.get(), next)), [store]);
  const select = useCallback((id: string | undefined) => store.set({ selectedId: id }), [store]);
  const add = (type: NodeType) => {
    const draft = store.get();
    const previous = draft.definition.nodes.find(({ id }) => id === draft.selectedId);
    const box = canvas.current?.getBoundingClientRect();
    const middle = flow.screenToFlowPosition({
      x: (box?.left ?? 0) + (box?.width ?? 0) / 2 - 118,
      y: (box?.top ?? 0) + (box?.height ?? 0) / 2 - 30,
    });
    const added = previous
      ? addAfter(draft.definition, catalogue, type, previous)
      : addNode(draft.definition, type, middle);
    change(added.definition);
    select(added.id);
  };
  const node = definition.nodes.find((candidate) => candidate.id === selectedId);
  const start = (id: string) => {
    setExecutionId(id);
    setRunShown(true);
    select(undefined);
    void flow.fitView({ ...FIT, duration: 250 });
  };

  return (
    <div className={classes.page}>
      <EditorBar onStarted={start} />
      <div className={classes.stage}>
        <div className={classes.canvas} ref={canvas}>
          <WorkflowCanvas
            definition={definition}
            catalogue={catalogue}
            results={results}
            issues={nodeIssues}
            selectedId={selectedId}
            onSelect={select}
            onChange={change}
            onRefusal={(message) => notifications.show({ color: 'weld', message })}
          >
            <Panel position="top-left">
              <Palette types={types} onPick={add} />
            </Panel>
            {execution && !isRunShown && (
              <Panel position="top-right">
                <Button
                  variant="default"
                  leftSection={<IconListCheck size={16} aria-hidden />}
                  onClick={() => setRunShown(true)}
                >
                  Show the run
                </Button>
              </Panel>
            )}
          </WorkflowCanvas>
        </div>
        {node ? (
          <NodePanel node={node} catalogue={catalogue} execution={execution} result={results.get(node.id)} />
        ) : (
          execution &&
          isRunShown && (
            <SidePanel label="Run" onClose={() => setRunShown(false)}>
              <RunPanel
                execution={execution}
                definition={definition}
                catalogue={catalogue}
                isInterrupted={isInterrupted}
                onSelect={select}
              />
            </SidePanel>
          )
        )}
      </div>
    </div>
  );
}
