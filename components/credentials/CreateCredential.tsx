import { Modal, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConnectForm } from './connect/ConnectForm';
import { CredentialForm } from './CredentialForm';
import { CredentialTypeChoice, type CredentialFilter } from './CredentialTypeChoice';
import { credentialConfigFields, CREDENTIAL_TYPE_OPTIONS, type CredentialTypeOption } from './kinds';
import { useConnectors } from '@/components/client/queries/useConnectors';

const EMPTY_CREDENTIAL = { name: '', config: {}, secretFields: [] };

interface Props {
  isOpen: boolean;
  /** Limits the choice to fitting types; absent: all types. */
  fits?: CredentialFilter;
  onCreated(id: string): void;
  onClose(): void;
}

/** Asks for the type of a new credential, then for its fields. The dialog can be stacked on another one. */
export function CreateCredential({ isOpen, fits, onCreated, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data: connectors } = useConnectors();
  const [kind, setKind] = useState<CredentialTypeOption>();
  const [picked, setConnector] = useState<ConnectorResponse>();
  const only = connectors && singleMatchingConnector(connectors.data, fits);
  const connector = picked ?? only;
  const create = useMutation(trpc.credentials.create.mutationOptions());

  const back = () => {
    setKind(undefined);
    setConnector(undefined);
    create.reset();
  };
  const close = () => {
    back();
    onClose();
  };
  const show = (id: string) => {
    refresh();
    close();
    onCreated(id);
  };
  const submit = (
    { type, connectorId }: CredentialTypeOption,
    given: { name: string; config: Record<string, unknown> },
  ) => create.mutate({ body: { type, connectorId, ...given } }, { onSuccess: ({ id }) => show(id) });

  return (
    <Modal
      opened={isOpen}
      stackId="new-credential"
      onClose={close}
      title={credentialDialogTitle(kind, connector)}
      size={kind || connector ? 'md' : 'xl'}
    >
      {!kind && !connector && !connectors && <Skeleton h={240} />}
      {!kind && !connector && connectors && (
        <CredentialTypeChoice connectors={connectors.data} fits={fits} onKind={setKind} onConnector={setConnector} />
      )}
      {connector && <ConnectForm connector={connector} onConnected={show} onCancel={only ? undefined : back} />}
      {kind && (
        <CredentialForm
          form={credentialConfigFields(kind.type, kind.connectorId)}
          stored={EMPTY_CREDENTIAL}
          action="Save"
          error={create.error}
          isBusy={create.isPending}
          onSubmit={(given) => submit(kind, given)}
          onCancel={back}
        />
      )}
    </Modal>
  );
}

/** Returns the connector if it is the only choice that fits; undefined if there are several choices. */
function singleMatchingConnector(
  connectors: ConnectorResponse[],
  fits: CredentialFilter | undefined,
): ConnectorResponse | undefined {
  if (!fits || CREDENTIAL_TYPE_OPTIONS.some(({ type, connectorId }) => fits(type, connectorId))) return undefined;
  const fitting = connectors.filter(({ id }) => fits('oauth2', id) || fits('token', id));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const credentialDialogTitle = (kind: CredentialTypeOption | undefined, connector: ConnectorResponse | undefined) =>
  connector ? `Connect ${connector.name}` : kind ? `New credential: ${kind.label}` : 'New credential';
