import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Credential } from '@/contract/credential';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';

type Address = 'required' | 'optional' | 'none';

/** Whether somebody has to say where such a credential could be tried. */
export function addressFor(
  { type, connectorId }: Pick<Credential, 'type' | 'connectorId'>,
  connector: unknown,
): Address {
  if (connector || connectorId === 'smtp') return 'none';
  return type === 'oauth2' ? 'optional' : 'required';
}

/** Tries with one call that changes nothing. Some kinds need an address to be shown to. */
export function TestCredential({ id, address }: { id: string; address: Address }) {
  const trpc = useTRPC();
  const [url, setUrl] = useState('');
  const test = useMutation(trpc.credentials.test.mutationOptions());
  const { at, elsewhere } = fieldErrorsOf(test.error, (field) => field === 'url');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    test.mutate({ params: { id }, body: url.trim() ? { url: url.trim() } : {} });
  };
  return (
    <Section title="Does it work?">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <ErrorNote>{elsewhere}</ErrorNote>
          {address !== 'none' ? (
            <TextInput
              label="Address to try"
              type="url"
              placeholder="https://api.example.com/me"
              required={address === 'required'}
              description={
                address === 'optional' ? 'Without one, only whether it has a good token is looked at.' : undefined
              }
              value={url}
              error={at.get('url')}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              One call that changes nothing.
            </Text>
          )}
          <Button type="submit" variant="light" w="fit-content" loading={test.isPending}>
            Test
          </Button>
          {test.data && (
            <Alert
              color={test.data.ok ? 'verdigris' : 'madder'}
              role="status"
              title={test.data.ok ? 'It works' : 'It doesn’t'}
            >
              {test.data.message}
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}
