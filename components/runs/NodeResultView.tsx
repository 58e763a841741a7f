import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import { useState, type ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { FailedResponseView } from './data/FailedResponseView';
import { AttemptPicker } from './timeline/AttemptPicker';
import { listAttempts } from './timeline/attempts';
import { AttemptChanges } from './compare/AttemptChanges';
import { DataView } from './data/DataView';
import { RunErrorAlert } from './RunErrorAlert';
import { OmittedData } from './data/OmittedData';

interface Props {
  executionId: string;
  result: NodeResult;
  /** False if the input is shown next to it already. */
  hasInput?: boolean;
  hasOutput?: boolean;
  /**
   * Shows a field of the node, by its path in the node such as `config.url`. Absent if the page does not show the
   * fields.
   */
  onShowField?(field: string): void;
  /** What can be done about the error. It is shown below the error. */
  remedy?: ReactNode;
}

/** Result of a node: status, error, input and output; with several attempts, one at a time. */
export function NodeResultView({ executionId, result, hasInput = true, hasOutput = true, onShowField, remedy }: Props) {
  const { input, output, omitted, omittedBytes, childExecutionId, nodeId } = result;
  const [chosen, choose] = useState<number>();
  const [isComparing, setComparing] = useState(false);
  const attempts = listAttempts(result);
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  const before = attempt && attempts[attempts.indexOf(attempt) - 1];
  const isLast = !attempt || attempt.isLast;
  const error = isLast ? (result.error ?? attempt?.error) : attempt.error;
  const parameters = attempt?.parameters ?? {};
  const place = { executionId, nodeId };
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge look={RUN_STATUS_STYLE[result.status]} />
        <Text size="sm" c="dimmed">
          <RunningDuration {...result} isTicking={result.status === 'running'} />
        </Text>
        {result.port && result.port !== 'output' && (
          <Text size="sm" c="dimmed">
            port “{result.port}”
          </Text>
        )}
      </Group>
      {attempt && attempts.length > 1 && <AttemptPicker attempts={attempts} value={attempt} onChange={choose} />}
      {attempt && before && (
        <>
          <Button
            variant="subtle"
            size="compact-xs"
            w="fit-content"
            aria-expanded={isComparing}
            onClick={() => setComparing(!isComparing)}
          >
            {isComparing ? 'Hide the differences' : `Compare with attempt ${before.number}`}
          </Button>
          {isComparing && <AttemptChanges before={before} after={attempt} />}
        </>
      )}
      {error && <RunErrorAlert error={error} onShowField={onShowField} />}
      {error && remedy}
      {attempt?.answer && <FailedResponseView answer={attempt.answer} />}
      {childExecutionId && isLast && (
        <Anchor component={AppLink} href={`/executions/${childExecutionId}`} size="sm">
          Open the sub-workflow run
        </Anchor>
      )}
      {hasOutput && isLast && output !== undefined && <DataView label="output" value={output} />}
      {hasOutput && isLast && omitted?.includes('output') && (
        <OmittedData label="output" {...place} bytes={omittedBytes?.output} />
      )}
      {Object.keys(parameters).length > 0 && <DataView label="parameters" value={parameters} />}
      {hasInput && input !== undefined && <DataView label="input" value={input} />}
      {hasInput && omitted?.includes('input') && <OmittedData label="input" {...place} bytes={omittedBytes?.input} />}
    </Stack>
  );
}
