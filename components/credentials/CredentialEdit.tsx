import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PageSection } from '@/components/ui/page/PageSection';
import { ConnectForm } from './connect/ConnectForm';
import { ConnectOwnProvider } from './connect/ConnectOwnProvider';
import { CredentialForm } from './CredentialForm';
import { credentialConfigFields } from './kinds';

interface Props {
  credential: CredentialResponse;
  /** The connector of its account, if any. */
  connector: ConnectorResponse | undefined;
}

/** Edits the config of a credential, or reconnects its account. Use the version as the React key. */
export function CredentialEdit({ credential, connector }: Props) {
  const { id, type, connectorId, version } = credential;
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const update = useMutation(
    trpc.credentials.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const onConnected = () => notifications.show({ message: 'Connected', color: 'verdigris' });
  if (connector)
    return (
      <PageSection title="Account">
        <ConnectForm connector={connector} credential={credential} onConnected={onConnected} />
      </PageSection>
    );
  return (
    <Stack gap="lg">
      {type === 'oauth2' && <ConnectOwnProvider credential={credential} onConnected={onConnected} />}
      <PageSection title="Configuration">
        <CredentialForm
          form={credentialConfigFields(type, connectorId)}
          stored={credential}
          action="Save"
          error={update.error}
          isBusy={update.isPending}
          onSubmit={(body) => update.mutate({ params: { id }, body: { ...body, version } })}
        />
      </PageSection>
    </Stack>
  );
}
