import { Anchor, Collapse, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { NodeStatus } from '@/contract/execution';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { ApprovalCard } from '../ApprovalCard';
import { DataView } from '../data/DataView';
import type { LiveRun } from '../live';
import classes from './AgentConversation.module.css';
import { buildAgentTranscript, formatModelUsage, type TranscriptToolCall, type AgentTranscriptStep } from './entries';

interface Props {
  execution: LiveRun;
  /** The id of the agent's result: `agent`, or `loop[2].agent`. */
  place: string;
  /** Opens a result. Absent if the page does not show results. */
  onSelect?(resultId: string): void;
}

/** The steps of an agent as a conversation: messages, calls of tools with their results, approvals, tokens and cost. */
export function AgentConversation({ execution, place, onSelect }: Props) {
  const { instructions, remembered, steps, total } = buildAgentTranscript(execution.nodeResults, place);
  if (steps.length === 0) return null;
  return (
    <section aria-label="Conversation">
      <Group justify="space-between" mb="xs">
        <Title order={2} fz={14}>
          Conversation
        </Title>
        {total && (
          <Text size="xs" c="dimmed">
            {formatModelUsage(total)}
          </Text>
        )}
      </Group>
      {instructions !== '' && <AgentInstructions text={instructions} remembered={remembered} />}
      <ol className={classes.list}>
        {steps.map((step) => (
          <AgentStepItem key={step.index} step={step} executionId={execution.id} onSelect={onSelect} />
        ))}
      </ol>
    </section>
  );
}

function AgentInstructions({ text, remembered }: { text: string; remembered: number }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div style={{ marginBottom: 10 }}>
      <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={toggle}>
        Instructions
      </Anchor>
      {remembered > 0 && (
        <Text size="xs" c="dimmed">
          {remembered} messages of earlier runs were remembered.
        </Text>
      )}
      <Collapse expanded={isOpen}>
        <Text className={classes.text} mt={4}>
          {text}
        </Text>
      </Collapse>
    </div>
  );
}

interface AgentStepProps {
  step: AgentTranscriptStep;
  executionId: string;
  onSelect?: ((resultId: string) => void) | undefined;
}

function AgentStepItem({ step, executionId, onSelect }: AgentStepProps) {
  const { index, model, userMessages: told, text, answer, calls, usage } = step;
  return (
    <>
      {told.map((message, at) => (
        <li key={at} className={`${classes.message} ${classes.user}`}>
          <Text size="xs" c="dimmed">
            Message
          </Text>
          <Text className={classes.text}>{message}</Text>
        </li>
      ))}
      <li className={classes.message}>
        <div className={classes.head}>
          <Group gap={6}>
            {onSelect ? (
              <Anchor component="button" type="button" size="xs" onClick={() => onSelect(model.nodeId)}>
                Model, step {index + 1}
              </Anchor>
            ) : (
              <Text size="xs" c="dimmed">
                Model, step {index + 1}
              </Text>
            )}
            {model.status !== 'completed' && <StatusBadge look={RUN_STATUS_STYLE[model.status]} size="sm" />}
          </Group>
          <Text size="xs" c="dimmed">
            <RunningDuration {...model} isTicking={model.status === 'running'} />
            {usage && ` · ${formatModelUsage(usage)}`}
          </Text>
        </div>
        {text !== '' && <Text className={classes.text}>{text}</Text>}
        {answer !== undefined && <DataView label="answer" value={answer} />}
        {model.error && (
          <Text size="sm" c="var(--weft-failed)">
            {model.error.message}
          </Text>
        )}
        {calls.map((call) => (
          <ToolCallCard key={call.id} call={call} executionId={executionId} onSelect={onSelect} />
        ))}
      </li>
    </>
  );
}

interface ToolCallProps extends Pick<AgentStepProps, 'executionId' | 'onSelect'> {
  call: TranscriptToolCall;
}

const toolCallStatus = ({ problem, approval, result }: TranscriptToolCall): NodeStatus => {
  if (problem !== undefined || approval?.port === 'rejected') return 'failed';
  return result?.status ?? (approval?.status === 'paused' ? 'paused' : 'pending');
};

/** Characters of arguments that are shown as they are. */
const MAX_INLINE_ARGUMENTS = 80;

/** A call of a tool: its arguments, its approval and its result. */
export function ToolCallCard({ call, executionId, onSelect }: ToolCallProps) {
  const { name, problem, approval, result, resultId } = call;
  const status = toolCallStatus(call);
  const isRejected = approval?.port === 'rejected';
  const json = JSON.stringify(call.arguments) ?? '';
  return (
    <section className={classes.call} data-status={status} aria-label={`Call of ${name}`}>
      <div className={classes.head}>
        {onSelect && result ? (
          <Anchor component="button" type="button" size="sm" fw={600} onClick={() => onSelect(resultId)}>
            {name}
          </Anchor>
        ) : (
          <Text size="sm" fw={600}>
            {name}
          </Text>
        )}
        <Group gap={6} wrap="nowrap">
          {result && (
            <Text size="xs" c="dimmed">
              <RunningDuration {...result} isTicking={result.status === 'running'} />
            </Text>
          )}
          <StatusBadge look={RUN_STATUS_STYLE[status]} size="sm" />
        </Group>
      </div>
      {json.length <= MAX_INLINE_ARGUMENTS ? (
        <Text size="xs" ff="monospace" mb={4}>
          {json}
        </Text>
      ) : (
        <DataView label="arguments" value={call.arguments} isFolded={approval?.status !== 'paused'} />
      )}
      {approval?.status === 'paused' && (
        <ApprovalCard
          executionId={executionId}
          nodeId={`${resultId}.approval`}
          title={`The call of ${name}`}
          asked={approval.asked && { ...approval.asked, message: '' }}
        />
      )}
      {problem !== undefined && (
        <Text size="sm" c="var(--weft-failed)">
          {problem}
        </Text>
      )}
      {isRejected && (
        <Text size="sm" c="var(--weft-failed)">
          A person rejected this call.
        </Text>
      )}
      {result?.error && (
        <Text size="sm" c="var(--weft-failed)">
          {result.error.message}
        </Text>
      )}
      {result?.output !== undefined && <DataView label="result" value={result.output} isFolded />}
    </section>
  );
}
