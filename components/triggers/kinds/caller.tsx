import { IconSitemap } from '@tabler/icons-react';
import type { WorkflowCaller } from '@/contract/workflows/workflow-callers';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { triggerState } from './state';

const shown = ({ id, name, status }: WorkflowCaller): Trigger => ({
  id,
  kind: 'caller',
  text: name,
  state: triggerState(true, status),
  note: 'Calls this workflow',
  href: `/workflows/${id}`,
  canListen: false,
});

/** Other workflows that call this one. They have no settings here: their own pages do. */
export const callerKind: TriggerKind = {
  kind: 'caller',
  label: 'Workflow',
  icon: IconSitemap,
  query: (trpc, { id }) =>
    shownAs(trpc.workflows.callers.queryOptions({ params: { id } }), ({ data }: { data: WorkflowCaller[] }) =>
      data.map(shown),
    ),
};
