import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Connector } from '@/contract/connectors/connector';
import type { Credential } from '@/contract/credentials/credential';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Section } from '@/components/ui/page/Section';
import { ConnectForm } from './connect/ConnectForm';
import { ConnectOwn } from './connect/ConnectOwn';
import { CredentialForm } from './CredentialForm';
import { configForm } from './kinds';

interface Props {
  credential: Credential;
  /** The connector of its account, if any. */
  connector: Connector | undefined;
}

/** Edits the config of a credential, or reconnects its account. Use the version as the React key. */
export function CredentialEdit({ credential, connector }: Props) {
  const { id, type, connectorId, version } = credential;
  const trpc = useTRPC();
  const refresh = useRefresh();
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
      <Section title="Account">
        <ConnectForm connector={connector} credential={credential} onConnected={onConnected} />
      </Section>
    );
  return (
    <Stack gap="lg">
      {type === 'oauth2' && <ConnectOwn credential={credential} onConnected={onConnected} />}
      <Section title="Configuration">
        <CredentialForm
          form={configForm(type, connectorId)}
          stored={credential}
          action="Save"
          error={update.error}
          isBusy={update.isPending}
          onSubmit={(body) => update.mutate({ params: { id }, body: { ...body, version } })}
        />
      </Section>
    </Stack>
  );
}
