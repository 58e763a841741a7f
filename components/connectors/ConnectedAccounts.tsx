import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { usePermissions } from '@/components/client/usePermissions';
import { useTRPC } from '@/components/client/trpc';
import { ConnectForm } from '@/components/credentials/connect/ConnectForm';
import { CREDENTIAL_HEALTH_STYLE, credentialHealth } from '@/components/credentials/health';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';

const MAX_LISTED_ACCOUNTS = 20;

/** The connected accounts of a connector, and the form to connect one. */
export function ConnectedAccounts({ connector }: { connector: ConnectorResponse }) {
  const trpc = useTRPC();
  const can = usePermissions();
  const [isAdding, setAdding] = useState(false);
  const isReader = can('credential:read') !== 'none';
  const query = { connectorId: connector.id, limit: String(MAX_LISTED_ACCOUNTS) };
  const { data, error, refetch } = useQuery(trpc.credentials.list.queryOptions({ query }, { enabled: isReader }));
  const isAllowed = can('credential:create') !== 'none';
  if (error)
    return <RequestErrorAlert title="The credentials can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (isReader && !data) return <ListSkeleton rows={2} />;
  const connected = data?.data ?? [];
  const isForm = isAllowed && (isAdding || connected.length === 0);
  return (
    <Stack gap="sm">
      {connected.map((credential) => (
        <AccountRow key={credential.id} credential={credential} isMachine={connector.flow === 'client_credentials'} />
      ))}
      {data && data.total > MAX_LISTED_ACCOUNTS && (
        <Anchor component={AppLink} href="/credentials" size="sm">
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

function AccountRow({ credential, isMachine }: { credential: CredentialResponse; isMachine: boolean }) {
  const now = useCurrentTime(60_000);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={AppLink} href={`/credentials/${credential.id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {credential.name}
      </Anchor>
      <StatusBadge look={CREDENTIAL_HEALTH_STYLE[credentialHealth(credential, isMachine, now)]} size="sm" />
    </Group>
  );
}
