import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { CredentialFields } from './CredentialFields';
import type { CredentialConfigFields } from './kinds';

interface Props {
  /** The fields of the config. */
  form: CredentialConfigFields;
  /** What is stored: empty for a new credential. */
  stored: { name: string; config: Record<string, unknown>; secretFields: string[] };
  action: string;
  error: unknown;
  isBusy: boolean;
  onSubmit(given: { name: string; config: Record<string, unknown> }): void;
  onCancel?(): void;
  /** Default: Back. */
  cancelLabel?: string;
}

/** Name and config of a new or existing credential. */
export function CredentialForm({
  form,
  stored,
  action,
  error,
  isBusy,
  onSubmit,
  onCancel,
  cancelLabel = 'Back',
}: Props) {
  const [name, setName] = useState(stored.name);
  const [config, setConfig] = useState(stored.config);
  const { at, elsewhere } = splitFieldErrors(error, (field) => field === 'name' || field.startsWith('config.'));
  const ofConfig = new Map([...at].map(([field, message]) => [field.replace(/^config\./, ''), message]));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), config });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <TextInput
          label="Name"
          required
          withAsterisk
          maxLength={200}
          data-autofocus
          value={name}
          error={at.get('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <CredentialFields
          schema={form.schema}
          secrets={form.secrets}
          storedSecrets={stored.secretFields}
          value={config}
          errors={ofConfig}
          onChange={setConfig}
        />
        <Group justify="flex-end" gap="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {cancelLabel}
            </Button>
          )}
          <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
