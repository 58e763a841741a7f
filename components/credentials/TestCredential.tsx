import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { credentialNamesServer, type CredentialResponse } from '@/contract/credentials/credential';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';

type TestUrlRequirement = 'required' | 'optional' | 'none';

/** Whether a test of the credential needs a URL. */
export function testUrlNeed(
  { type, connectorId }: Pick<CredentialResponse, 'type' | 'connectorId'>,
  connector: unknown,
): TestUrlRequirement {
  if (connector || connectorId === 'smtp' || credentialNamesServer(type)) return 'none';
  return type === 'oauth2' ? 'optional' : 'required';
}

/** Tests a credential with one read-only request. Some types need a URL for it. */
export function TestCredential({ id, address }: { id: string; address: TestUrlRequirement }) {
  const trpc = useTRPC();
  const [url, setUrl] = useState('');
  const test = useMutation(trpc.credentials.test.mutationOptions());
  const { at, elsewhere } = splitFieldErrors(test.error, (field) => field === 'url');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    test.mutate({ params: { id }, body: url.trim() ? { url: url.trim() } : {} });
  };
  return (
    <PageSection title="Test">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
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
    </PageSection>
  );
}
