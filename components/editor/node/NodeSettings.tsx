import { NumberInput, Stack, Switch, Textarea } from '@mantine/core';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { DurationField } from '@/components/forms/DurationField';
import { OnErrorSetting } from './OnErrorSetting';

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  /** Messages by the path in the node: `retry.maxAttempts`. */
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

const SINGLE_ATTEMPT_SETTINGS = { repeatable: false, retry: undefined };

/** Whether the node has one attempt: by its own setting, or as nodes of its type do. */
const hasSingleAttempt = ({ repeatable, retry }: WorkflowNode, kind: NodeTypeDescription | undefined): boolean =>
  repeatable === undefined ? kind?.isOnce === true && (retry?.maxAttempts ?? 1) < 2 : !repeatable;
const numberOrUndefined = (value: string | number | undefined) => (typeof value === 'number' ? value : undefined);

const timeoutProblem = (ms: number) => (ms < 1 ? 'At least 1 ms' : ms > 86_400_000 ? 'At most 1 d' : undefined);

/** Settings that every node type has: disabled, retries, timeout, error handling and notes. */
export function NodeSettings({ node, kind, errors, onChange }: Props) {
  const { maxAttempts = 1, backoffMs = 1000 } = node.retry ?? {};
  return (
    <Stack gap="md">
      <Switch
        wrapperProps={{ 'data-field': 'disabled' }}
        label="Disabled"
        description="A disabled node is skipped: its input is passed on as its output."
        checked={node.disabled ?? false}
        onChange={(event) => onChange({ disabled: event.currentTarget.checked || undefined }, 'disabled')}
      />
      <Switch
        wrapperProps={{ 'data-field': 'repeatable' }}
        error={errors.get('repeatable')}
        label="At most once"
        description="For actions that must not run twice, such as payments. The node has one attempt, and fails if the service stops during it."
        checked={hasSingleAttempt(node, kind)}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? SINGLE_ATTEMPT_SETTINGS : { repeatable: kind?.isOnce }, 'repeatable')
        }
      />
      <NumberInput
        wrapperProps={{ 'data-field': 'retry.maxAttempts' }}
        error={errors.get('retry.maxAttempts') ?? errors.get('retry')}
        label="Attempts"
        description="Number of attempts before the node fails, the first one included."
        min={1}
        max={20}
        allowDecimal={false}
        disabled={hasSingleAttempt(node, kind)}
        value={maxAttempts}
        onChange={(value) => onChange({ retry: { maxAttempts: numberOrUndefined(value) ?? 1, backoffMs } }, 'retry')}
      />
      <div data-field="retry.backoffMs">
        <DurationField
          label="Backoff between attempts"
          description="Doubles with each attempt, up to five minutes."
          isLiteral
          disabled={maxAttempts < 2}
          value={backoffMs}
          error={backoffMs > 300_000 ? 'At most 5 min' : errors.get('retry.backoffMs')}
          onChange={(value) =>
            onChange({ retry: { maxAttempts, backoffMs: numberOrUndefined(value) ?? 1000 } }, 'retry')
          }
        />
      </div>
      <div data-field="timeoutMs">
        <DurationField
          label="Timeout"
          description="The node fails after this time."
          isLiteral
          fallback={60_000}
          value={node.timeoutMs}
          error={(node.timeoutMs !== undefined && timeoutProblem(node.timeoutMs)) || errors.get('timeoutMs')}
          onChange={(value) => onChange({ timeoutMs: numberOrUndefined(value) }, 'timeoutMs')}
        />
      </div>
      {(!kind || kind.ports.outputs.includes('error')) && <OnErrorSetting nodeId={node.id} />}
      <Textarea
        wrapperProps={{ 'data-field': 'notes' }}
        error={errors.get('notes')}
        label="Notes"
        description="Documentation for readers of this workflow."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={10_000}
        value={node.notes ?? ''}
        onChange={(event) => onChange({ notes: event.currentTarget.value || undefined }, 'notes')}
      />
    </Stack>
  );
}
