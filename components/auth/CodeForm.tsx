import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

interface Props {
  /** Label of the submit button. */
  action: string;
  isDanger?: boolean;
  isPending: boolean;
  error: unknown;
  onCode(code: string): void;
  onCancel?(): void;
}

/** Asks for a code of a second factor that is set up already. */
export function CodeForm({ action, isDanger = false, isPending, error, onCode, onCancel }: Props) {
  const [code, setCode] = useState('');
  const { at, elsewhere } = splitFieldErrors(error, (field) => field === 'code');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onCode(code.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <TextInput
          label="Code"
          description="A code from your authenticator app, or a backup code."
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          error={at.has('code') && 'This code is wrong or was used before.'}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" color={isDanger ? 'madder' : undefined} loading={isPending}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
