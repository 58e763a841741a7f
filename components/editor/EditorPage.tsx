'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { InvalidDraft, InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { WorkflowDraft } from '@/contract/workflows/workflow';
import { bodyAt } from '@/components/graph/body';
import { isSame } from '@/components/graph/compare';
import { catalogueOf } from '@/components/graph/flow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { problemOf } from '@/components/client/problem';
import { createStore } from '@/components/client/store';
import { useTRPC } from '@/components/client/trpc';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useMay } from '@/components/client/useMay';
import { useMe } from '@/components/client/useMe';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { NotFound } from '@/components/ui/states/NotFound';
import { WorkbenchSkeleton } from '@/components/ui/states/WorkbenchSkeleton';
import { changed, DraftContext, newDraft, type Draft } from './draft/draft';
import { Editor } from './Editor';
import { storedPins, type ListedPin } from './pins/pins';
import { readBackup } from '@/components/client/local-backup';

/** Read-only view, for people without the permission to edit. */
const WorkflowView = lazyWithPreload(
  () => import('./WorkflowView').then((module) => module.WorkflowView),
  <WorkbenchSkeleton />,
);

/** Read when the editor is opened. */
const ONCE = { refetchOnWindowFocus: false, staleTime: Infinity, gcTime: 0 };

export function EditorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayUpdate = useMay('workflow', 'update', id);
  const params = { id };
  // A refetch on window focus would change the canvas while someone edits.
  const draft = useQuery(
    trpc.drafts.get.queryOptions({ params }, { enabled: mayUpdate === true, refetchOnWindowFocus: false }),
  );
  const invalid = useInvalidDrafts(id, mayUpdate === true);
  const pins = useQuery(trpc.pins.list.queryOptions({ params }, { ...ONCE, enabled: mayUpdate === true }));
  // Read-only viewers see the live version.
  const live = useQuery(trpc.workflows.get.queryOptions({ params }, { enabled: mayUpdate === false }));
  const types = useNodeTypes();
  const error = draft.error ?? invalid.error ?? pins.error ?? live.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error)
    return (
      <FailureNote
        title="The workflow can’t be opened"
        error={error}
        onRetry={() => void (mayUpdate ? draft : live).refetch()}
      />
    );
  if (types.data && mayUpdate && draft.data && pins.data && invalid.isLoaded)
    return (
      <WithDraft
        key={id}
        workflow={draft.data}
        types={types.data}
        invalid={invalid.own}
        pins={pins.data.data}
        othersDrafts={invalid.ofOthers}
      />
    );
  if (types.data && mayUpdate === false && live.data) return <WorkflowView workflow={live.data} types={types.data} />;
  return <WorkbenchSkeleton />;
}

/** Changes that are not saved as a version because of errors: those of the person, as they were at first, and of others. */
function useInvalidDrafts(id: string, isEnabled: boolean) {
  const trpc = useTRPC();
  const { me } = useMe();
  const userId = me?.user.id ?? '';
  const list = useQuery(trpc.invalidDrafts.list.queryOptions({ params: { id } }, { ...ONCE, enabled: isEnabled }));
  const hasOwn = list.data?.data.some((one) => one.userId === userId) ?? false;
  const own = useQuery(
    trpc.invalidDrafts.get.queryOptions({ params: { id, userId } }, { ...ONCE, enabled: isEnabled && hasOwn }),
  );
  return {
    isLoaded: list.data !== undefined && (!hasOwn || own.data !== undefined),
    error: list.error ?? own.error,
    own: own.data,
    ofOthers: list.data?.data.filter((one) => one.userId !== userId) ?? [],
  };
}

interface Props {
  workflow: WorkflowDraft;
  types: NodeType[];
  invalid: InvalidDraft | undefined;
  pins: readonly ListedPin[];
  othersDrafts: InvalidDraftSummary[];
}

function WithDraft({ workflow, types, invalid, pins, othersDrafts }: Props) {
  const query = useSearchParams();
  const [store] = useState(() => createStore(showing(opened(workflow, invalid, pins), query)));
  const runId = query.get('run') ?? undefined;
  const catalogue = useMemo(() => catalogueOf(types), [types]);
  return (
    <DraftContext value={store}>
      <ReactFlowProvider>
        <Editor types={types} catalogue={catalogue} runId={runId} othersDrafts={othersDrafts} />
      </ReactFlowProvider>
    </DraftContext>
  );
}

/** With the node and the field that an address names, if the node exists: `?node=loop/mail&field=config.to`. */
function showing(draft: Draft, query: URLSearchParams): Draft {
  const path = query.get('node')?.split('/') ?? [];
  const nodeId = path.pop();
  const node = bodyAt(draft.definition, path).nodes.find(({ id }) => id === nodeId);
  if (!node) return draft;
  const field = query.get('field');
  const focus = field === null ? undefined : { nodeId: node.id, field };
  return { ...draft, path, selectedIds: [node.id], focus };
}

/** The saved workflow, or what could not be saved: the unsaved work of this browser, or else the invalid draft of the person. */
function opened(workflow: WorkflowDraft, invalid: InvalidDraft | undefined, pins: readonly ListedPin[]): Draft {
  const draft = newDraft(workflow, storedPins(pins));
  const left = readBackup(workflow.id) ?? invalid;
  if (!left || (isSame(left.definition, workflow.definition) && left.name === workflow.name)) return draft;
  // The changes may be based on an older version: the save then reports a conflict.
  const saved = { ...workflow, version: left.version };
  const { name, definition } = left;
  const state = left === invalid ? { saving: 'invalid' as const, invalid: { name, definition } } : {};
  return { ...draft, ...changed(draft, definition), ...state, saved, name };
}
