'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { WorkflowDraft } from '@/contract/workflows/workflow';
import { isSame } from '@/components/graph/compare';
import { catalogueOf } from '@/components/graph/flow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { problemOf } from '@/components/client/problem';
import { createStore } from '@/components/client/store';
import { useTRPC } from '@/components/client/trpc';
import { useNodeTypes } from '@/components/client/useNodeTypes';
import { useMay } from '@/components/client/useMay';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { NotFound } from '@/components/ui/states/NotFound';
import { WorkbenchSkeleton } from '@/components/ui/states/WorkbenchSkeleton';
import { changed, DraftContext, newDraft, type Draft } from './draft/draft';
import { Editor } from './Editor';
import { readBackup } from '@/components/client/local-backup';

/** Read-only view, for people without the permission to edit. */
const WorkflowView = lazyWithPreload(
  () => import('./WorkflowView').then((module) => module.WorkflowView),
  <WorkbenchSkeleton />,
);

export function EditorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayUpdate = useMay('workflow', 'update', id);
  const params = { id };
  // A refetch on window focus would change the canvas while someone edits.
  const draft = useQuery(
    trpc.drafts.get.queryOptions({ params }, { enabled: mayUpdate === true, refetchOnWindowFocus: false }),
  );
  // Read-only viewers see the live version.
  const live = useQuery(trpc.workflows.get.queryOptions({ params }, { enabled: mayUpdate === false }));
  const types = useNodeTypes();
  const error = draft.error ?? live.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error)
    return (
      <FailureNote
        title="The workflow can’t be opened"
        error={error}
        onRetry={() => void (mayUpdate ? draft : live).refetch()}
      />
    );
  if (types.data && mayUpdate && draft.data) return <WithDraft key={id} workflow={draft.data} types={types.data} />;
  if (types.data && mayUpdate === false && live.data) return <WorkflowView workflow={live.data} types={types.data} />;
  return <WorkbenchSkeleton />;
}

function WithDraft({ workflow, types }: { workflow: WorkflowDraft; types: NodeType[] }) {
  const [store] = useState(() => createStore(opened(workflow)));
  const runId = useSearchParams().get('run') ?? undefined;
  const catalogue = useMemo(() => catalogueOf(types), [types]);
  return (
    <DraftContext value={store}>
      <ReactFlowProvider>
        <Editor types={types} catalogue={catalogue} runId={runId} />
      </ReactFlowProvider>
    </DraftContext>
  );
}

/** The saved workflow, or the unsaved work of this browser if there is any. */
function opened(workflow: WorkflowDraft): Draft {
  const draft = newDraft(workflow);
  const left = readBackup(workflow.id);
  if (!left || (isSame(left.definition, workflow.definition) && left.name === workflow.name)) return draft;
  // The backup may be based on an older version: the save then reports a conflict.
  const saved = { ...workflow, version: left.version };
  return { ...draft, ...changed(draft, left.definition), saved, name: left.name };
}
