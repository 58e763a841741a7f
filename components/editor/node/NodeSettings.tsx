import { NumberInput, Stack, Switch, Textarea } from '@mantine/core';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { ErrorPath } from './ErrorPath';

interface Props {
  node: Node;
  kind: NodeType | undefined;
  onChange(part: Partial<Node>, field: string): void;
}

const ONCE = { repeatable: false, retry: undefined };
const numeric = (value: string | number) => (typeof value === 'number' ? value : undefined);

/** Settings that every node type has: disabled, retries, timeout, error handling and notes. */
export function NodeSettings({ node, kind, onChange }: Props) {
  const { maxAttempts = 1, backoffMs = 1000 } = node.retry ?? {};
  return (
    <Stack gap="md">
      <Switch
        label="Disabled"
        description="A disabled node is skipped: its input is passed on as its output."
        checked={node.disabled ?? false}
        onChange={(event) => onChange({ disabled: event.currentTarget.checked || undefined }, 'disabled')}
      />
      <Switch
        label="At most once"
        description="For actions that must not run twice, such as payments. The node has one attempt, and fails if the service stops during it."
        checked={node.repeatable === false}
        onChange={(event) => onChange(event.currentTarget.checked ? ONCE : { repeatable: undefined }, 'repeatable')}
      />
      <NumberInput
        label="Attempts"
        description="Number of attempts before the node fails, the first one included."
        min={1}
        max={20}
        allowDecimal={false}
        disabled={node.repeatable === false}
        value={maxAttempts}
        onChange={(value) => onChange({ retry: { maxAttempts: numeric(value) ?? 1, backoffMs } }, 'retry')}
      />
      <NumberInput
        label="Backoff between attempts (ms)"
        description="Doubles with each attempt, up to five minutes."
        min={0}
        max={300_000}
        step={500}
        allowDecimal={false}
        disabled={maxAttempts < 2}
        value={backoffMs}
        onChange={(value) => onChange({ retry: { maxAttempts, backoffMs: numeric(value) ?? 1000 } }, 'retry')}
      />
      <NumberInput
        label="Timeout (ms)"
        description="The node fails after this time. Empty: one minute."
        placeholder="60000"
        min={1}
        max={86_400_000}
        step={1000}
        allowDecimal={false}
        value={node.timeoutMs ?? ''}
        onChange={(value) => onChange({ timeoutMs: numeric(value) }, 'timeout')}
      />
      {(!kind || kind.ports.outputs.includes('error')) && <ErrorPath nodeId={node.id} />}
      <Textarea
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
