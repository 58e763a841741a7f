import { useCallback, useMemo, type ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { CanvasEvents } from '@/components/canvas/events';
import type { CanvasTrigger } from '@/components/canvas/triggers/canvas-trigger';
import type { Catalogue } from '@/components/graph/flow';
import { disconnectedNodes } from '@/components/graph/disconnected';
import { unknownNames } from '@/components/graph/edits/names';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import { sentencesOf } from './checks/locate';
import { useVariableNames } from './preview/useVariables';
import { usePins } from './pins/usePins';
import { edited, issuesShown, shown, useDraft, useDraftStore } from './draft/draft';

interface Props {
  catalogue: Catalogue;
  results: ReadonlyMap<string, NodeResult>;
  events: CanvasEvents;
  triggers: readonly CanvasTrigger[] | undefined;
  children: ReactNode;
}

/** The canvas of the draft. Renders on each change of the definition or the selection. */
export function DraftCanvas({ catalogue, results, events, triggers, children }: Props) {
  const store = useDraftStore();
  const definition = useDraft(shown);
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const selectedIds = useDraft((draft) => draft.selectedIds);
  const issues = useDraft((draft) => draft.issues);
  const nodeIssues = useMemo(
    () => sentencesOf(definition, issuesShown({ definition: whole, path, issues }), catalogue),
    [definition, whole, path, issues, catalogue],
  );
  const variables = useVariableNames();
  const warnings = useMemo(
    () =>
      new Map(
        [...unknownNames(whole, path, catalogue, variables)].map(([id, names]) => [
          id,
          names.map(({ message }) => message),
        ]),
      ),
    [whole, path, catalogue, variables],
  );
  const pins = usePins();
  const pinned = useMemo(() => new Set(Object.keys(pins)), [pins]);
  const unreached = useMemo(() => disconnectedNodes(definition, catalogue), [definition, catalogue]);
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
