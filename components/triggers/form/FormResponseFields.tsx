import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { DurationInput } from '@/components/ui/values/DurationInput';
import type { FormDraft } from './form-draft';

const FORM_RESPONSE_OPTIONS: { value: FormDraft['mode']; label: string }[] = [
  { value: 'message', label: 'A message' },
  { value: 'redirect', label: 'A redirect to a URL' },
  { value: 'run_output', label: 'The output of the run' },
];

const MAX_RESPONSE_SECONDS = 120;

interface Props {
  draft: FormDraft;
  errors: ReadonlyMap<string, string>;
  set(part: Partial<FormDraft>): void;
}

/** What the sender of a form sees. */
export function FormResponseFields({ draft, errors, set }: Props) {
  return (
    <Stack gap="xs">
      <Select
        label="After submission, show"
        data={FORM_RESPONSE_OPTIONS}
        value={draft.mode}
        allowDeselect={false}
        onChange={(mode) => set({ mode: mode as FormDraft['mode'] })}
      />
      {draft.mode === 'message' && (
        <Textarea
          label="Message"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={draft.message}
          error={errors.get('response.message')}
          onChange={(event) => set({ message: event.currentTarget.value })}
        />
      )}
      {draft.mode === 'redirect' && (
        <TextInput
          label="Address"
          type="url"
          placeholder="https://example.com/thanks"
          value={draft.url}
          error={errors.get('response.url')}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
      )}
      {draft.mode === 'run_output' && (
        <DurationInput
          label="Within"
          description="After this time the page says that the result is not ready yet."
          min={1000}
          max={MAX_RESPONSE_SECONDS * 1000}
          value={draft.seconds * 1000}
          error={errors.get('response.timeoutMs')}
          onChange={(ms) => set({ seconds: (ms ?? 1000) / 1000 })}
        />
      )}
    </Stack>
  );
}
