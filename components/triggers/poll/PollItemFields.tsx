import { Select, Stack, TextInput } from '@mantine/core';
import type { PollDeliveryMode, FirstPollMode } from '@/contract/triggers/poll';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import type { PollFieldsProps } from './PollTimeFields';

const POLL_EXPRESSIONS = [
  {
    field: 'items',
    label: 'Items',
    description: 'JSONata on input, which is the output of the node: the list of items',
  },
  {
    field: 'key',
    label: 'Key',
    description: 'JSONata on item: its unique key. An item with a known key is not new',
  },
  {
    field: 'cursor',
    label: 'Cursor',
    description: 'Optional. JSONata on input and cursor: the cursor of the next poll',
  },
] as const;

/** How a poll finds new items, and what it does with them. */
export function PollItemFields({ draft, errors, set, words }: PollFieldsProps) {
  const kind = useNodeTypes().data?.find(({ type }) => type === draft.type);
  // Some types have the same expressions for all polls.
  const expressions = kind?.sourceSettings ? [] : POLL_EXPRESSIONS;
  return (
    <Stack gap="xs">
      {expressions.map(({ field, label, description }) => (
        <TextInput
          key={field}
          label={label}
          description={description}
          withAsterisk={field !== 'cursor'}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          placeholder={field === 'cursor' ? '$max(input.body.id)' : undefined}
          maxLength={10_000}
          value={draft[field]}
          error={errors.get(field)}
          onChange={(event) => set({ [field]: event.currentTarget.value })}
        />
      ))}
      <Select
        label={words.delivery}
        data={words.deliveries}
        value={draft.deliver}
        allowDeselect={false}
        onChange={(deliver) => deliver && set({ deliver: deliver as PollDeliveryMode })}
      />
      <Select
        label={words.first}
        data={words.firsts}
        value={draft.first}
        allowDeselect={false}
        onChange={(first) => first && set({ first: first as FirstPollMode })}
      />
    </Stack>
  );
}
