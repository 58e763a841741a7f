import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { ErrorNote } from '../ui/ErrorNote';

/** Asks for a code of the second factor that somebody has. */
export function ProveFactor({ onDone }: { onDone(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [code, setCode] = useState('');
  const finish = () => {
    refresh();
    onDone();
  };
  const { mutate, isPending, error } = useMutation(trpc.mfa.verify.mutationOptions({ onSuccess: finish }));
  const { at, elsewhere } = fieldErrorsOf(error, (field) => field === 'code');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    mutate({ body: { code: code.trim() } });
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
        <Group>
          <Button type="submit" loading={isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
