'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { WorkflowDraft } from '@/contract/workflow';
import { isSame } from '../canvas/compare';
import { catalogueOf } from '../canvas/flow';
import { later } from '../client/later';
import { problemOf } from '../client/problem';
import { createStore } from '../client/store';
import { useTRPC } from '../client/trpc';
import { useNodeTypes } from '../client/useNodeTypes';
import { useMay } from '../shell/useMay';
import { FailureNote } from '../ui/FailureNote';
import { NotFound } from '../ui/NotFound';
import { WorkbenchSkeleton } from '../ui/WorkbenchSkeleton';
import { changed, DraftContext, newDraft, type Draft } from './draft';
import { Editor } from './Editor';
import { kept } from './kept';

/** For viewers and operators. */
const WorkflowView = later(() => import('./WorkflowView').then((part) => part.WorkflowView), <WorkbenchSkeleton />);

export function EditorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayUpdate = useMay('workflow', 'update', id);
  const params = { id };
  // What is on the canvas must not change under one's hands when the window comes back into focus.
  const draft = useQuery(
    trpc.drafts.get.queryOptions({ params }, { enabled: mayUpdate === true, refetchOnWindowFocus: false }),
  );
  // Who only looks sees what runs.
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

/** The workflow as it was saved, or with what this browser kept of work that never got through. */
function opened(workflow: WorkflowDraft): Draft {
  const draft = newDraft(workflow);
  const left = kept(workflow.id);
  if (!left || (isSame(left.definition, workflow.definition) && left.name === workflow.name)) return draft;
  // Based on another version than the current one: saving tells, and asks which is to be.
  const saved = { ...workflow, version: left.version };
  return { ...draft, ...changed(draft, left.definition), saved, name: left.name };
}
