'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { Workflow } from '@/contract/workflow';
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
  // What is on the canvas must not change under one's hands when the window comes back into focus.
  const workflow = useQuery(trpc.workflows.get.queryOptions({ params: { id } }, { refetchOnWindowFocus: false }));
  const types = useNodeTypes();
  const mayUpdate = useMay('workflow', 'update', id);
  const error = workflow.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error)
    return <FailureNote title="The workflow can’t be opened" error={error} onRetry={() => void workflow.refetch()} />;
  if (!workflow.data || !types.data || mayUpdate === undefined) return <WorkbenchSkeleton />;
  if (!mayUpdate) return <WorkflowView workflow={workflow.data} types={types.data} />;
  return <WithDraft key={id} workflow={workflow.data} types={types.data} />;
}

function WithDraft({ workflow, types }: { workflow: Workflow; types: NodeType[] }) {
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
function opened(workflow: Workflow): Draft {
  const draft = newDraft(workflow);
  const left = kept(workflow.id);
  if (!left || (isSame(left.definition, workflow.definition) && left.name === workflow.name)) return draft;
  // Based on another version than the current one: saving tells, and asks which is to be.
  const saved = { ...workflow, version: left.version };
  return { ...draft, ...changed(draft, left.definition), saved, name: left.name };
}
