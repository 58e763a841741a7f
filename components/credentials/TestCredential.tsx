import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Credential } from '@/contract/credential';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';

/** Whether nothing tells where such a credential could be tried. */
export const needsAddress = ({ type, connectorId }: Pick<Credential, 'type' | 'connectorId'>, connector: unknown) =>
  !connector && connectorId !== 'smtp' && type !== 'oauth2';

/** Tries with one call that changes nothing. Some kinds need an address to be shown to. */
export function TestCredential({ id, needsAddress }: { id: string; needsAddress: boolean }) {
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
          {needsAddress ? (
            <TextInput
              label="Address to try"
              type="url"
              placeholder="https://api.example.com/me"
              required
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
