import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { namesServer, type Credential } from '@/contract/credentials/credential';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Section } from '@/components/ui/page/Section';

type Address = 'required' | 'optional' | 'none';

/** Whether a test of the credential needs a URL. */
export function addressFor(
  { type, connectorId }: Pick<Credential, 'type' | 'connectorId'>,
  connector: unknown,
): Address {
  if (connector || connectorId === 'smtp' || namesServer(type)) return 'none';
  return type === 'oauth2' ? 'optional' : 'required';
}

/** Tests a credential with one read-only request. Some types need a URL for it. */
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
    <Section title="Test">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <ErrorNote>{elsewhere}</ErrorNote>
          {address !== 'none' ? (
            <TextInput
              label="Test URL"
              type="url"
              placeholder="https://api.example.com/me"
              required={address === 'required'}
              description={
                address === 'optional' ? 'Without a URL, the test only checks for a valid token.' : undefined
              }
              value={url}
              error={at.get('url')}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              Sends one read-only request.
            </Text>
          )}
          <Button type="submit" variant="light" w="fit-content" loading={test.isPending}>
            Test
          </Button>
          {test.data && (
            <Alert
              color={test.data.ok ? 'verdigris' : 'madder'}
              role="status"
              title={test.data.ok ? 'It works' : 'It does not work'}
            >
              {test.data.message}
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}
