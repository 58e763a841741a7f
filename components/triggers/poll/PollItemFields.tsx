import { Select, Stack, TextInput } from '@mantine/core';
import type { PollDelivery, PollFirst } from '@/contract/triggers/poll';
import type { PollFieldsProps } from './PollTimeFields';

const DELIVERIES: { value: PollDelivery; label: string }[] = [
  { value: 'each', label: 'One run for each new item' },
  { value: 'batch', label: 'One run for all new items' },
];
const FIRSTS: { value: PollFirst; label: string }[] = [
  { value: 'skip', label: 'Are stored as known only' },
  { value: 'deliver', label: 'Start runs' },
];
const EXPRESSIONS = [
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
export function PollItemFields({ draft, errors, set }: PollFieldsProps) {
  return (
    <Stack gap="xs">
      {EXPRESSIONS.map(({ field, label, description }) => (
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
        label="New items start"
        data={DELIVERIES}
        value={draft.deliver}
        allowDeselect={false}
        onChange={(deliver) => deliver && set({ deliver: deliver as PollDelivery })}
      />
      <Select
        label="Items of the first poll"
        data={FIRSTS}
        value={draft.first}
        allowDeselect={false}
        onChange={(first) => first && set({ first: first as PollFirst })}
      />
    </Stack>
  );
}
