import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import { useState, type ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import { Duration } from '@/components/ui/values/Duration';
import { RUN_LOOK } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { AnswerView } from './data/AnswerView';
import { AttemptPicker } from './timeline/AttemptPicker';
import { attemptsOf } from './timeline/attempts';
import { AttemptChanges } from './compare/AttemptChanges';
import { DataView } from './data/DataView';
import { FaultNote } from './FaultNote';
import { OmittedData } from './data/OmittedData';

interface Props {
  executionId: string;
  result: NodeResult;
  /** False if the input is shown next to it already. */
  hasInput?: boolean;
  hasOutput?: boolean;
  /** Shows a field of the node, by its path in the node: `config.url`. Absent: the fields are not at hand. */
  onShowField?(field: string): void;
  /** Below the error: what can be done about it. */
  remedy?: ReactNode;
}

/** Result of a node: status, error, input and output; with several attempts, one at a time. */
export function NodeResultView({ executionId, result, hasInput = true, hasOutput = true, onShowField, remedy }: Props) {
  const { input, output, omitted, omittedBytes, childExecutionId, nodeId } = result;
  const [chosen, choose] = useState<number>();
  const [isComparing, setComparing] = useState(false);
  const attempts = attemptsOf(result);
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  const before = attempt && attempts[attempts.indexOf(attempt) - 1];
  const isLast = !attempt || attempt.isLast;
  const error = isLast ? (result.error ?? attempt?.error) : attempt.error;
  const parameters = attempt?.parameters ?? {};
  const place = { executionId, nodeId };
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge look={RUN_LOOK[result.status]} />
        <Text size="sm" c="dimmed">
          <Duration {...result} isTicking={result.status === 'running'} />
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
      {error && <FaultNote error={error} onShowField={onShowField} />}
      {error && remedy}
      {attempt?.answer && <AnswerView answer={attempt.answer} />}
      {childExecutionId && isLast && (
        <Anchor component={Link} href={`/executions/${childExecutionId}`} size="sm">
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
