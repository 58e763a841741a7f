import { Group, Stack, Text } from '@mantine/core';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentTools } from '@/components/graph/agent';
import type { AgentPart } from '@/components/graph/agent-parts';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { DataView } from '../data/DataView';
import type { LiveRun } from '../live';
import { ToolCallCard } from './AgentConversation';
import classes from './AgentConversation.module.css';
import { buildAgentTranscript, formatModelUsage } from './entries';
import { listAgentPartCalls } from '@/components/graph/agent-part-calls';

interface Props {
  execution: LiveRun;
  /** The id of the agent's result: `agent`, or `loop[2].agent`. */
  place: string;
  agent: WorkflowNode;
  part: AgentPart;
  /** Opens a result. Absent if the page does not show results. */
  onSelect?(resultId: string): void;
}

/** The calls of the model, the memory or a tool in a run. */
export function AgentPartCallList({ execution, place, agent, part, onSelect }: Props) {
  const { steps, total } = buildAgentTranscript(execution.nodeResults, place);
  if (part.kind === 'tool') {
    const name = readAgentTools(agent.config)[part.index]?.name;
    const calls = steps.flatMap((step) => step.calls.filter((call) => call.name === name));
    return (
      <Stack gap="xs">
        {calls.length === 0 && <NoCalls />}
        {calls.map((call) => (
          <ToolCallCard key={call.resultId + call.id} call={call} executionId={execution.id} onSelect={onSelect} />
        ))}
      </Stack>
    );
  }
  const usages = new Map(steps.map(({ model, usage }) => [model.nodeId, usage]));
  const results = listAgentPartCalls(execution.nodeResults, place, agent, part);
  return (
    <Stack gap="xs">
      {results.length === 0 && <NoCalls />}
      {part.kind === 'model' && total && (
        <Text size="sm" c="dimmed">
          All calls: {formatModelUsage(total)}
        </Text>
      )}
      {results.map((result, index) => {
        const usage = usages.get(result.nodeId);
        return (
          <section key={result.nodeId} className={classes.call} aria-label={`Call ${index + 1}`}>
            <Group justify="space-between" wrap="nowrap">
              <StatusBadge look={RUN_STATUS_STYLE[result.status]} size="sm" />
              <Text size="xs" c="dimmed">
                <RunningDuration {...result} isTicking={result.status === 'running'} />
                {usage && ` · ${formatModelUsage(usage)}`}
              </Text>
            </Group>
            {result.error && (
              <Text size="sm" c="var(--weft-failed)">
                {result.error.message}
              </Text>
            )}
            {result.output !== undefined && <DataView label="result" value={result.output} isFolded />}
          </section>
        );
      })}
    </Stack>
  );
}

const NoCalls = () => (
  <Text size="sm" c="dimmed">
    It was not called in this run.
  </Text>
);
