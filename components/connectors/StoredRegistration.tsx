import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { describeMissingPermission } from '@/components/client/permission-words';
import { usePermissions } from '@/components/client/usePermissions';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { NameValueList } from '@/components/ui/values/NameValueList';
import { RegistrationForm } from './RegistrationForm';
import { RemoveRegistration } from './RemoveRegistration';

/** The registration of this workspace: what is stored, or the form to store it. */
export function StoredRegistration({ connector }: { connector: ConnectorResponse }) {
  const trpc = useTRPC();
  const [isChanging, setChanging] = useState(false);
  const isStored = connector.registration === 'workspace';
  const isAllowed = usePermissions()('connector:update') !== 'none';
  const { data, error, refetch } = useQuery(
    trpc.connectors.registration.queryOptions(
      { params: { id: connector.id } },
      { enabled: isStored && isAllowed, retry: false },
    ),
  );
  if (!isAllowed)
    return (
      <Text size="sm">
        {isStored && 'The app is registered for this workspace.'}
        {connector.registration === 'service' && 'The app is registered for all workspaces of this service.'}
        {!isStored &&
          connector.registration !== 'service' &&
          `No app is registered for this workspace. ${describeMissingPermission('connector:update')}`}
      </Text>
    );
  if (isStored && error)
    return <RequestErrorAlert title="The registration can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (isStored && !data) return <ListSkeleton rows={2} />;
  if (isStored && data && !isChanging) {
    const { clientId, tokenUrl, apiUrl, updatedAt } = data;
    const facts: [string, string | undefined][] = [
      ['Client id', clientId],
      ['Client secret', 'Stored, not shown'],
      ['Token URL', tokenUrl],
      ['API URL', apiUrl],
      ['Saved', new Date(updatedAt).toLocaleString()],
    ];
    return (
      <>
        <NameValueList facts={facts} />
        <Group gap="xs" mt="sm">
          <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
            Change registration
          </Button>
          <RemoveRegistration connector={connector} />
        </Group>
      </>
    );
  }
  return (
    <>
      {connector.registration === 'service' && (
        <Alert color="woad" mb="sm">
          The service has its own registration, so you can connect accounts already. A registration of this workspace
          takes precedence.
        </Alert>
      )}
      <RegistrationForm
        connector={connector}
        stored={isStored ? data : undefined}
        onSaved={() => setChanging(false)}
        onCancel={isChanging ? () => setChanging(false) : undefined}
      />
    </>
  );
}
