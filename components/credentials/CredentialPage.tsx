'use client';

import { Alert, Anchor, Button, Grid, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialWithUsage } from '@/contract/credentials/credential';
import type { z } from 'zod';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PageNotFoundState } from '@/components/ui/states/PageNotFoundState';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { CredentialEdit } from './CredentialEdit';
import { CredentialUse } from './CredentialUse';
import { DeleteCredential } from './DeleteCredential';
import { CREDENTIAL_HEALTH_STYLE, credentialHealth } from './health';
import { credentialTypeOption } from './kinds';
import { testUrlNeed, TestCredential } from './TestCredential';
import { useConnectors } from '@/components/client/queries/useConnectors';

export function CredentialPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.credentials.get.queryOptions({ params: { id } }));
  const { data: connectors } = useConnectors();
  if (error && readApiError(error).code === 'NOT_FOUND') return <PageNotFoundState />;
  return (
    <ScrollingPage>
      <Anchor component={AppLink} href="/credentials" size="sm" mb="xs" display="inline-flex" style={{ gap: 6 }}>
        <IconArrowLeft size={16} aria-hidden /> Credentials
      </Anchor>
      {error && (
        <RequestErrorAlert title="The credential can’t be shown" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h={320} mt="md" />}
      {data && (
        <CredentialDetails
          key={data.version}
          credential={data}
          connector={connectors?.data.find((known) => known.id === data.connectorId)}
        />
      )}
    </ScrollingPage>
  );
}

interface CredentialDetailsProps {
  credential: z.infer<typeof CredentialWithUsage>;
  connector: ConnectorResponse | undefined;
}

function CredentialDetails({ credential, connector }: CredentialDetailsProps) {
  const { id, name, type, connectorId, expiresAt } = credential;
  const now = useCurrentTime(60_000);
  const [isDeleting, deleting] = useDisclosure(false);
  const isEmpty = credential.secretFields.length === 0;
  const health = credentialHealth(credential, connector?.flow === 'client_credentials', now);
  return (
    <>
      <PageHeader title={name} summary={connector?.name ?? credentialTypeOption(type, connectorId)?.label}>
        <StatusBadge look={CREDENTIAL_HEALTH_STYLE[health]} />
        <PermittedButton to="credential:delete">
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={deleting.open}>
            Delete
          </Button>
        </PermittedButton>
      </PageHeader>
      {health === 'expired' && (
        <Alert
          color="madder"
          mb="lg"
          title={isEmpty ? 'This credential has no secrets yet' : 'This credential is expired'}
        >
          {isEmpty
            ? 'Enter them below, or connect the account. Runs that use it fail until then.'
            : connector
              ? 'The provider no longer accepts its tokens. Connect the account again. Workflows keep using this credential.'
              : 'Connect it again, or enter new tokens below. Workflows keep using this credential.'}
        </Alert>
      )}
      {health === 'soon' && expiresAt && (
        <Alert color="weld" mb="lg" title={`It expires on ${new Date(expiresAt).toLocaleString()}`}>
          Its token is not refreshed automatically.{' '}
          {connector ? 'Connect the account again before then.' : 'Connect it again or enter a new token before then.'}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <CredentialEdit credential={credential} connector={connector} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <TestCredential id={id} address={testUrlNeed(credential, connector)} />
            <CredentialUse workflows={credential.usedBy} others={credential.otherUses} />
          </Stack>
        </Grid.Col>
      </Grid>
      <DeleteCredential credential={credential} isOpen={isDeleting} onClose={deleting.close} />
    </>
  );
}
