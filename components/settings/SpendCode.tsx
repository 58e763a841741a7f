import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { ErrorNote } from '../ui/ErrorNote';

interface Props {
  purpose: 'renew' | 'off';
  onDone(backupCodes?: string[]): void;
  onCancel(): void;
}

/** What weakens an account asks for a code first. */
export function SpendCode({ purpose, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [code, setCode] = useState('');
  const renew = useMutation(trpc.mfa.renew.mutationOptions());
  const turnOff = useMutation(trpc.mfa.delete.mutationOptions());
  const { isPending, error } = purpose === 'renew' ? renew : turnOff;
  const { at, elsewhere } = fieldErrorsOf(error, (field) => field === 'code');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = { body: { code: code.trim() } };
    const finish = (codes?: string[]) => {
      refresh();
      onDone(codes);
    };
    if (purpose === 'renew') renew.mutate(given, { onSuccess: ({ backupCodes }) => finish(backupCodes) });
    else turnOff.mutate(given, { onSuccess: () => finish() });
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <ErrorNote>{elsewhere}</ErrorNote>
        <TextInput
          label="Code"
          description="Of your authenticator app, or a backup code."
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          error={at.has('code') && 'This code is wrong or was used before.'}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" color={purpose === 'off' ? 'madder' : undefined} loading={isPending}>
            {purpose === 'off' ? 'Turn off' : 'Make new codes'}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
