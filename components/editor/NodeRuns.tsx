import { Button, Menu } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { isFinal } from '@/contract/states';
import type { Run } from '../executions/live';
import { useRerun } from '../executions/useRerun';

interface Props {
  nodeId: string;
  execution: Run | undefined;
  hasRun: boolean;
  onRun(executionId: string): void;
}

/** Runs from this node on, with what came into it the last time. Needs a run that is over. */
export function NodeRuns({ nodeId, execution, hasRun, onRun }: Props) {
  const rerun = useRerun(onRun);
  if (!execution || !hasRun || !isFinal(execution.status)) return null;
  const start = (useLatest: boolean) =>
    rerun.mutate({ params: { id: execution.id }, body: { fromNodeId: nodeId, useLatest } });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={rerun.isPending}
        >
          Run from here
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start(true)}>As saved now, with the last run’s data</Menu.Item>
        <Menu.Item onClick={() => start(false)}>As it was in the last run</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
