import { Modal, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { CredentialEdit } from './CredentialEdit';
import { testUrlNeed, TestCredential } from './TestCredential';
import { useConnectors } from '@/components/client/queries/useConnectors';

/** Tests and edits a credential without leaving the page. Can be stacked on another dialog. */
export function CredentialDialog({ id, onClose }: { id: string | undefined; onClose(): void }) {
  return (
    <Modal opened={id !== undefined} stackId="credential" onClose={onClose} title="Credential" size="lg">
      {id !== undefined && <CredentialEditor id={id} />}
    </Modal>
  );
}

function CredentialEditor({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.credentials.get.queryOptions({ params: { id } }));
  const { data: connectors } = useConnectors();
  if (error)
    return <RequestErrorAlert title="The credential can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data || !connectors) return <Skeleton h={320} />;
  const connector = connectors.data.find((known) => known.id === data.connectorId);
  return (
    <Stack gap="lg">
      <TestCredential id={id} address={testUrlNeed(data, connector)} />
      <CredentialEdit key={data.version} credential={data} connector={connector} />
    </Stack>
  );
}
