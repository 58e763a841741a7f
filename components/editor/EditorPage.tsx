'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { NodeType } from '@/contract/node-type';
import type { Workflow } from '@/contract/workflow';
import { catalogueOf } from '../canvas/flow';
import { problemOf } from '../client/problem';
import { createStore } from '../client/store';
import { useTRPC } from '../client/trpc';
import { useNodeTypes } from '../client/useNodeTypes';
import { FailureNote } from '../ui/FailureNote';
import { NotFound } from '../ui/NotFound';
import { WorkbenchSkeleton } from '../ui/WorkbenchSkeleton';
import { DraftContext, newDraft } from './draft';
import { Editor } from './Editor';

export function EditorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  // What is on the canvas must not change under one's hands when the window comes back into focus.
  const workflow = useQuery(trpc.workflows.get.queryOptions({ params: { id } }, { refetchOnWindowFocus: false }));
  const types = useNodeTypes();
  const error = workflow.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error)
    return <FailureNote title="The workflow can’t be opened" error={error} onRetry={() => void workflow.refetch()} />;
  if (!workflow.data || !types.data) return <WorkbenchSkeleton />;
  return <WithDraft key={id} workflow={workflow.data} types={types.data} />;
}

function WithDraft({ workflow, types }: { workflow: Workflow; types: NodeType[] }) {
  const [store] = useState(() => createStore(newDraft(workflow)));
  const catalogue = useMemo(() => catalogueOf(types), [types]);
  return (
    <DraftContext value={store}>
      <ReactFlowProvider>
        <Editor types={types} catalogue={catalogue} />
      </ReactFlowProvider>
    </DraftContext>
  );
}
