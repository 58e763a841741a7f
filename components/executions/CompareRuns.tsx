import { Modal, Select, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Definition } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { useTRPC } from '../client/trpc';
import { RUN_LOOK } from '../ui/status';
import { DifferenceList } from './DifferenceList';
import type { Run } from './live';
import { useExecution } from './useExecution';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
  onClose(): void;
}

/** A run beside another one of the same workflow. */
export function CompareRuns({ execution, definition, catalogue, onClose }: Props) {
  const trpc = useTRPC();
  const { id, workflowId, rerunOf } = execution;
  const runs = useQuery(trpc.executions.list.queryOptions({ query: { workflowId, limit: 50 } }));
  const others = runs.data?.data.filter((run) => run.id !== id) ?? [];
  const [chosen, setChosen] = useState<string>();
  // Whoever ran something again wants to know what became of it; else the run before.
  const [before] = others.filter(({ createdAt }) => createdAt < execution.createdAt);
  const otherId = chosen ?? rerunOf ?? before?.id ?? others[0]?.id;
  const { execution: other } = useExecution(otherId);
  const labelOf = (run: (typeof others)[number]) =>
    `${new Date(run.startedAt).toLocaleString()} · ${RUN_LOOK[run.status].label} · version ${run.workflowVersion}`;
  const data = others.map((run) => ({ value: run.id, label: labelOf(run) }));
  const isListed = otherId === undefined || others.some((run) => run.id === otherId);
  return (
    <Modal opened onClose={onClose} title="Compare with another run" size="min(1100px, 96vw)">
      <Stack>
        <Select
          label="The other run"
          data={isListed ? data : [...data, { value: otherId, label: 'The run that this one repeats' }]}
          value={otherId ?? null}
          allowDeselect={false}
          searchable
          placeholder={runs.isPending ? 'Looking …' : 'There is no other run of this workflow'}
          onChange={(picked) => setChosen(picked ?? undefined)}
        />
        {otherId !== undefined && !other && <Skeleton h={200} />}
        {other && <DifferenceList left={execution} right={other} definition={definition} catalogue={catalogue} />}
      </Stack>
    </Modal>
  );
}
