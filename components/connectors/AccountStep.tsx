import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { useState } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import type { Credential } from '@/contract/credentials/credential';
import { useCan } from '@/components/client/useCan';
import { useTRPC } from '@/components/client/trpc';
import { ConnectForm } from '@/components/credentials/connect/ConnectForm';
import { HEALTH_LOOK, healthOf } from '@/components/credentials/health';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useNow } from '@/components/ui/values/useNow';

const SHOWN = 20;

/** The connected accounts of a connector, and the form to connect one. */
export function AccountStep({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const isReader = can('credential:read') !== 'none';
  const query = { connectorId: connector.id, limit: String(SHOWN) };
  const { data, error, refetch } = useQuery(trpc.credentials.list.queryOptions({ query }, { enabled: isReader }));
  const isAllowed = can('credential:create') !== 'none';
  if (error) return <FailureNote title="The credentials can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (isReader && !data) return <ListSkeleton rows={2} />;
  const connected = data?.data ?? [];
  const isForm = isAllowed && (isAdding || connected.length === 0);
  return (
    <Stack gap="sm">
      {connected.map((credential) => (
        <Account key={credential.id} credential={credential} isMachine={connector.flow === 'client_credentials'} />
      ))}
      {data && data.total > SHOWN && (
        <Anchor component={Link} href="/credentials" size="sm">
          Show all {data.total} credentials
        </Anchor>
      )}
      {isForm && (
        <ConnectForm
          connector={connector}
          onConnected={() => setAdding(false)}
          onCancel={isAdding ? () => setAdding(false) : undefined}
        />
      )}
      {isAllowed && !isForm && (
        <Button variant="default" w="fit-content" onClick={() => setAdding(true)}>
          Connect another account
        </Button>
      )}
      {!isAllowed && connected.length === 0 && <Text size="sm">You may not create credentials in this workspace.</Text>}
    </Stack>
  );
}

function Account({ credential, isMachine }: { credential: Credential; isMachine: boolean }) {
  const now = useNow(60_000);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={Link} href={`/credentials/${credential.id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {credential.name}
      </Anchor>
      <StatusBadge look={HEALTH_LOOK[healthOf(credential, isMachine, now)]} size="sm" />
    </Group>
  );
}
