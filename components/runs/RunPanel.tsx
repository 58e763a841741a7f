import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconDatabaseOff, IconPlugConnectedX } from '@tabler/icons-react';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { RunAnnotation } from './annotation/RunAnnotation';
import { ApprovalCard } from './ApprovalCard';
import { CancelButton } from './CancelButton';
import { FormPageCards } from './FormPageCards';
import { DataView } from './data/DataView';
import { RunErrorAlert } from './RunErrorAlert';
import { pendingApprovalNodes, type LiveRun } from './live';
import { RerunMenu } from './RerunMenu';
import { findNestedNode, resultNodeTitle } from './timeline/rounds';
import { RunLogs } from './timeline/RunLogs';
import { StepList } from './timeline/StepList';
import { Timeline } from './timeline/Timeline';

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  /** The live connection is down and the page polls instead. */
  isInterrupted: boolean;
  onSelect(nodeId: string): void;
  /** Called with the id of the new run. */
  onRerun(executionId: string): void;
}

/** A whole run: status, pending approvals, steps, timeline, logs and data. */
export function RunPanel({ execution, definition, catalogue, isInterrupted, onSelect, onRerun }: Props) {
  const resultOf = (id: string) => execution.nodeResults.find((result) => result.nodeId === id);
  const failed =
    execution.error?.nodeId && findNestedNode(definition, execution.error.nodeId) ? execution.error.nodeId : undefined;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <StatusBadge look={RUN_STATUS_STYLE[execution.status]} />
          <Text size="sm" c="dimmed">
            <RunningDuration {...execution} isTicking={!isFinalStatus(execution.status)} />
            {execution.startNodeId !== null &&
              ` · starts at ${resultNodeTitle(definition, catalogue, execution.startNodeId)}`}
          </Text>
        </Group>
        {isFinalStatus(execution.status) ? (
          <RerunMenu execution={execution} onStarted={onRerun} />
        ) : (
          <CancelButton executionId={execution.id} />
        )}
      </Group>
      <RunAnnotation executionId={execution.id} />
      {isInterrupted && (
        <Alert color="weld" icon={<IconPlugConnectedX size={18} aria-hidden />} p="xs">
          Live updates are interrupted. Reconnecting …
        </Alert>
      )}
      {pendingApprovalNodes(execution).map((id) => (
        <ApprovalCard
          key={id}
          executionId={execution.id}
          nodeId={id}
          title={resultNodeTitle(definition, catalogue, id)}
          asked={resultOf(id)?.asked}
        />
      ))}
      <FormPageCards execution={execution} definition={definition} catalogue={catalogue} />
      {execution.error && (
        <Stack gap="xs">
          <RunErrorAlert error={execution.error} />
          {failed && (
            <Button variant="subtle" color="madder" size="compact-sm" w="fit-content" onClick={() => onSelect(failed)}>
              Show node
            </Button>
          )}
        </Stack>
      )}
      {execution.dataRemovedAt && (
        <Alert color="gray" icon={<IconDatabaseOff size={18} aria-hidden />} p="xs">
          The workflow does not keep the data of this run. Input, results and logs were removed.
        </Alert>
      )}
      <Tabs defaultValue="steps" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="steps">Steps</Tabs.Tab>
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
          <Tabs.Tab value="logs">Logs</Tabs.Tab>
          <Tabs.Tab value="data">Data</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="steps" pt="sm">
          <StepList results={execution.nodeResults} definition={definition} catalogue={catalogue} onSelect={onSelect} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline" pt="sm">
          <Timeline execution={execution} definition={definition} catalogue={catalogue} onSelect={onSelect} />
        </Tabs.Panel>
        <Tabs.Panel value="logs" pt="sm">
          <RunLogs execution={execution} definition={definition} catalogue={catalogue} />
        </Tabs.Panel>
        <Tabs.Panel value="data" pt="sm">
          <Stack gap="sm">
            {execution.output !== undefined && <DataView label="Output" value={execution.output} />}
            <DataView label="Input" value={execution.input} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
