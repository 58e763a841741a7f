import { Select, Stack, TextInput } from '@mantine/core';
import type { PollDeliveryMode, FirstPollMode } from '@/contract/triggers/poll';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { EXPRESSION_LANGUAGE_LABELS } from '@/components/ui/values/expression-language';
import { PollLanguageSelect } from './PollLanguageSelect';
import type { PollFieldsProps } from './PollTimeFields';

const POLL_EXPRESSIONS = [
  {
    field: 'items',
    label: 'Items',
    description: 'On input, which is the output of the node: the list of items',
  },
  {
    field: 'key',
    label: 'Key',
    description: 'On item: its unique key. An item with a known key is not new',
  },
  {
    field: 'cursor',
    label: 'Cursor',
    description: 'Optional. On input and cursor: the cursor of the next poll',
  },
] as const;

const CURSOR_EXAMPLES = {
  jsonata: '$max(input.body.id)',
  javascript: 'Math.max(...input.body.map((item) => item.id))',
};

/** How a poll finds new items, and what it does with them. */
export function PollItemFields({ draft, errors, set, words }: PollFieldsProps) {
  const kind = useNodeTypes().data?.find(({ type }) => type === draft.type);
  // Some types have the same expressions for all polls.
  const expressions = kind?.sourceSettings ? [] : POLL_EXPRESSIONS;
  return (
    <Stack gap="xs">
      {expressions.length > 0 && <PollLanguageSelect draft={draft} set={set} />}
      {expressions.map(({ field, label, description }) => (
        <TextInput
          key={field}
          label={label}
          description={`${EXPRESSION_LANGUAGE_LABELS[draft.language]}. ${description}`}
          withAsterisk={field !== 'cursor'}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          placeholder={field === 'cursor' ? CURSOR_EXAMPLES[draft.language] : undefined}
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
