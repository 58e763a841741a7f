'use client';

import { Alert, Anchor, Button, Grid, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { Connector } from '@/contract/connector';
import type { CredentialWithUse } from '@/contract/credential';
import type { z } from 'zod';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Permitted } from '../shell/Permitted';
import { FailureNote } from '../ui/FailureNote';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { StatusBadge } from '../ui/StatusBadge';
import { useNow } from '../ui/useNow';
import { CredentialEdit } from './CredentialEdit';
import { CredentialUse } from './CredentialUse';
import { DeleteCredential } from './DeleteCredential';
import { HEALTH_LOOK, healthOf } from './health';
import { kindOf } from './kinds';
import { addressFor, TestCredential } from './TestCredential';
import { useConnectors } from './useConnectors';

export function CredentialPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.credentials.get.queryOptions({ params: { id } }));
  const { data: connectors } = useConnectors();
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  return (
    <Page>
      <Anchor component={Link} href="/credentials" size="sm" mb="xs" display="inline-flex" style={{ gap: 6 }}>
        <IconArrowLeft size={16} aria-hidden /> Credentials
      </Anchor>
      {error && <FailureNote title="The credential can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} mt="md" />}
      {data && (
        <Known
          key={data.version}
          credential={data}
          connector={connectors?.data.find((known) => known.id === data.connectorId)}
        />
      )}
    </Page>
  );
}

interface KnownProps {
  credential: z.infer<typeof CredentialWithUse>;
  connector: Connector | undefined;
}

function Known({ credential, connector }: KnownProps) {
  const { id, name, type, connectorId, expiresAt } = credential;
  const now = useNow(60_000);
  const [isDeleting, deleting] = useDisclosure(false);
  const health = healthOf(credential, connector?.flow === 'client_credentials', now);
  return (
    <>
      <PageHeader title={name} summary={connector?.name ?? kindOf(type, connectorId)?.label}>
        <StatusBadge look={HEALTH_LOOK[health]} />
        <Permitted to="credential:delete">
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={deleting.open}>
            Delete
          </Button>
        </Permitted>
      </PageHeader>
      {health === 'expired' && (
        <Alert color="madder" mb="lg" title="It no longer opens anything">
          {connector
            ? 'The provider doesn’t take these tokens any more. Connect the account again; workflows go on using it.'
            : 'Connect it again, or put new tokens in below; workflows go on using it.'}
        </Alert>
      )}
      {health === 'soon' && expiresAt && (
        <Alert color="weld" mb="lg" title={`It ends on ${new Date(expiresAt).toLocaleString()}`}>
          Nothing renews its token by itself.{' '}
          {connector
            ? 'Connect the account again before then.'
            : 'Connect it again, or put a new token in, before then.'}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <CredentialEdit credential={credential} connector={connector} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <TestCredential id={id} address={addressFor(credential, connector)} />
            <CredentialUse workflows={credential.usedBy} />
          </Stack>
        </Grid.Col>
      </Grid>
      <DeleteCredential credential={credential} isOpen={isDeleting} onClose={deleting.close} />
    </>
  );
}
