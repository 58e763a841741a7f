import { useCallback, useMemo, type ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { CanvasEvents } from '@/components/canvas/events';
import type { CanvasTrigger } from '@/components/canvas/triggers/canvas-trigger';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { findDisconnectedNodes } from '@/components/graph/disconnected';
import { findUnknownNames } from '@/components/graph/edits/unknown-names';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import { issueSentencesByNode } from './checks/locate-issue';
import { useKnownVariableNames } from './preview/useWorkspaceVariables';
import { useCanvasPins } from './pins/useCanvasPins';
import { editCanvas, canvasIssuesByNode, canvasDefinition, useDraft, useDraftStore } from './draft/draft';

interface Props {
  catalogue: NodeTypesByName;
  results: ReadonlyMap<string, NodeResult>;
  events: CanvasEvents;
  triggers: readonly CanvasTrigger[] | undefined;
  children: ReactNode;
}

/** The canvas of the draft. Renders on each change of the definition or the selection. */
export function DraftCanvas({ catalogue, results, events, triggers, children }: Props) {
  const store = useDraftStore();
  const definition = useDraft(canvasDefinition);
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const selectedIds = useDraft((draft) => draft.selectedIds);
  const issues = useDraft((draft) => draft.issues);
  const nodeIssues = useMemo(
    () => issueSentencesByNode(definition, canvasIssuesByNode({ definition: whole, path, issues }), catalogue),
    [definition, whole, path, issues, catalogue],
  );
  const variables = useKnownVariableNames();
  const warnings = useMemo(
    () =>
      new Map(
        [...findUnknownNames(whole, path, catalogue, variables)].map(([id, names]) => [
          id,
          names.map(({ message }) => message),
        ]),
      ),
    [whole, path, catalogue, variables],
  );
  const pins = useCanvasPins();
  const pinned = useMemo(() => new Set(Object.keys(pins)), [pins]);
  const unreached = useMemo(() => findDisconnectedNodes(definition, catalogue), [definition, catalogue]);
  const change = useCallback(
    (next: WorkflowDefinition, intent?: string) => store.set(editCanvas(store.get(), next, intent)),
    [store],
  );
  const select = useCallback(
    (ids: readonly string[]) => {
      const before = store.get().selectedIds;
      if (ids.length !== before.length || ids.some((id, at) => id !== before[at])) store.set({ selectedIds: ids });
    },
    [store],
  );
  return (
    <WorkflowCanvas
      key={path.join('/')}
      definition={definition}
      catalogue={catalogue}
      results={results}
      issues={nodeIssues}
      disconnected={unreached}
      warnings={warnings}
      pinned={pinned}
      viewName={[store.get().saved.id, ...path].join('/')}
      selectedIds={selectedIds}
      onSelect={select}
      onChange={change}
      events={events}
      triggers={path.length === 0 ? triggers : undefined}
    >
      {children}
    </WorkflowCanvas>
  );
}
