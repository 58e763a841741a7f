import { Modal, Select, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { DifferenceList } from './DifferenceList';
import type { LiveRun } from '../live';
import { useExecution } from '../useExecution';

interface Props {
  execution: LiveRun;
  /** The run to compare with at first. */
  firstOtherId: string | undefined;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  onClose(): void;
}

/** Compares a run with another run of the same workflow. */
export function CompareRuns({ execution, firstOtherId, definition, catalogue, onClose }: Props) {
  const trpc = useTRPC();
  const { id, workflowId, rerunOf } = execution;
  const runs = useQuery(trpc.executions.list.queryOptions({ query: { workflowId, limit: 50 } }));
  const others = runs.data?.data.filter((run) => run.id !== id) ?? [];
  const [chosen, setChosen] = useState(firstOtherId);
  // Default: the run that this one repeats, otherwise the previous run.
  const [before] = others.filter(({ createdAt }) => createdAt < execution.createdAt);
  const otherId = chosen ?? rerunOf ?? before?.id ?? others[0]?.id;
  const { execution: other } = useExecution(otherId);
  const labelOf = (run: (typeof others)[number]) =>
    `${new Date(run.startedAt).toLocaleString()} · ${RUN_STATUS_STYLE[run.status].label} · version ${run.workflowVersion}`;
  const data = others.map((run) => ({ value: run.id, label: labelOf(run) }));
  const isListed = otherId === undefined || others.some((run) => run.id === otherId);
  return (
    <Modal opened onClose={onClose} title="Compare with another run" size="min(1100px, 96vw)">
      <Stack>
        <Select
          label="Compare with"
          data={isListed ? data : [...data, { value: otherId, label: 'Original run' }]}
          value={otherId ?? null}
          allowDeselect={false}
          searchable
          placeholder={runs.isPending ? 'Loading …' : 'This workflow has no other run'}
          onChange={(picked) => setChosen(picked ?? undefined)}
        />
        {otherId !== undefined && !other && <Skeleton h={200} />}
        {other && <DifferenceList current={execution} other={other} definition={definition} catalogue={catalogue} />}
      </Stack>
    </Modal>
  );
}
