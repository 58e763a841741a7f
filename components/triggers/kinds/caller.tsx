import { IconSitemap } from '@tabler/icons-react';
import type { WorkflowCaller } from '@/contract/workflows/workflow-callers';
import { triggersQuery, type TriggerCardData, type TriggerKind } from './kind';
import { resolveTriggerState } from './state';

const toCallerTrigger = ({ id, name, status }: WorkflowCaller): TriggerCardData => ({
  id,
  kind: 'caller',
  text: name,
  state: resolveTriggerState(true, status),
  note: 'Calls this workflow',
  href: `/workflows/${id}`,
  startNodeId: null,
  canListen: false,
});

/** Other workflows that call this one. They have no settings here: their own pages do. */
export const callerTriggerKind: TriggerKind = {
  kind: 'caller',
  label: 'Workflow',
  icon: IconSitemap,
  query: (trpc, { id }) =>
    triggersQuery(trpc.workflows.callers.queryOptions({ params: { id } }), ({ data }: { data: WorkflowCaller[] }) =>
      data.map(toCallerTrigger),
    ),
};
