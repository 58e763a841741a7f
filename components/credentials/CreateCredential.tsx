import { Alert, Modal, Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { apiErrorSentence, readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConnectForm } from './connect/ConnectForm';
import { CredentialForm } from './CredentialForm';
import { CredentialTypeChoice, type CredentialFilter } from './CredentialTypeChoice';
import { credentialConfigFields, CREDENTIAL_TYPE_OPTIONS, type CredentialTypeOption } from './kinds';
import { useConnectors } from '@/components/client/queries/useConnectors';

interface Props {
  isOpen: boolean;
  /** Limits the choice to fitting types; absent: all types. */
  fits?: CredentialFilter;
  onCreated(id: string): void;
  onClose(): void;
}

/**
 * Asks for the type of a new credential unless one alone fits, then for its fields, and tests it when it is saved. A
 * credential that does not work can be corrected, or kept as it is. The dialog can be stacked on another one.
 */
export function CreateCredential({ isOpen, fits, onCreated, onClose }: Props) {
  const { data: connectors } = useConnectors();
  const [pickedKind, setKind] = useState<CredentialTypeOption>();
  const [picked, setConnector] = useState<ConnectorResponse>();
  const only = connectors && singleMatchingConnector(connectors.data, fits);
  const onlyKind = connectors && singleMatchingType(connectors.data, fits);
  const connector = picked ?? only;
  const kind = pickedKind ?? onlyKind;
  const saving = useTestedCredential();

  const back = () => {
    setKind(undefined);
    setConnector(undefined);
    saving.reset();
  };
  const close = () => {
    const { stored } = saving;
    back();
    onClose();
    // It is stored although its test failed.
    if (stored) onCreated(stored.id);
  };
  const show = (id: string) => {
    back();
    onClose();
    onCreated(id);
  };

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
      {connector && (
        <ConnectForm
          connector={connector}
          onConnected={(id) => {
            void saving.testConnected(id);
            show(id);
          }}
          onCancel={only ? undefined : back}
        />
      )}
      {kind && (
        <Stack>
          {saving.failure !== undefined && (
            <Alert color="madder" role="alert" title="Saved, but it does not work">
              {saving.failure}
            </Alert>
          )}
          <CredentialForm
            form={credentialConfigFields(kind.type, kind.connectorId)}
            stored={{ name: kind.label, config: {}, secretFields: [] }}
            action={saving.stored ? 'Save and test again' : 'Save'}
            error={saving.error}
            isBusy={saving.isBusy}
            onSubmit={(given) => void saving.save(kind, given, show)}
            onCancel={saving.stored ? close : onlyKind ? undefined : back}
            cancelLabel={saving.stored ? 'Keep it as it is' : undefined}
          />
        </Stack>
      )}
    </Modal>
  );
}

/** Saves a new credential and tests it. After a failed test the next save changes what is stored. */
function useTestedCredential() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const create = useMutation(trpc.credentials.create.mutationOptions());
  const update = useMutation(trpc.credentials.update.mutationOptions());
  const tester = useMutation(trpc.credentials.test.mutationOptions());
  const [stored, setStored] = useState<Pick<CredentialResponse, 'id' | 'version'>>();
  const [failure, setFailure] = useState<string>();
  /** Why it does not work; undefined: it does, or that cannot be told without an address. */
  const test = async (id: string): Promise<string | undefined> => {
    try {
      const { ok, message } = await tester.mutateAsync({ params: { id }, body: {} });
      if (ok) notifications.show({ color: 'verdigris', title: 'It works', message });
      return ok ? undefined : message;
    } catch (error) {
      // Some types need an address for a test, and some people may not test.
      const { code } = readApiError(error);
      return code === 'VALIDATION_ERROR' || code === 'FORBIDDEN' ? undefined : apiErrorSentence(error);
    }
  };
  return {
    stored,
    failure,
    error: create.error ?? update.error,
    isBusy: create.isPending || update.isPending || tester.isPending,
    /** Tests an account that was connected, and says what is wrong with it. */
    async testConnected(id: string): Promise<void> {
      const problem = await test(id);
      if (problem !== undefined)
        notifications.show({ color: 'madder', title: 'Connected, but it does not work', message: problem });
    },
    async save(
      { type, connectorId }: CredentialTypeOption,
      given: { name: string; config: Record<string, unknown> },
      onDone: (id: string) => void,
    ): Promise<void> {
      try {
        const saved = stored
          ? await update.mutateAsync({ params: { id: stored.id }, body: { ...given, version: stored.version } })
          : await create.mutateAsync({ body: { type, connectorId, ...given } });
        setStored(saved);
        refresh();
        const problem = await test(saved.id);
        setFailure(problem);
        if (problem === undefined) onDone(saved.id);
      } catch {
        // The form shows why it was refused.
        return;
      }
    },
    reset() {
      create.reset();
      update.reset();
      setStored(undefined);
      setFailure(undefined);
    },
  };
}

/** Returns the type if it is the only choice that fits; undefined if there are several choices. */
function singleMatchingType(
  connectors: ConnectorResponse[],
  fits: CredentialFilter | undefined,
): CredentialTypeOption | undefined {
  if (!fits || connectors.some(({ id }) => fits('oauth2', id) || fits('token', id))) return undefined;
  const fitting = CREDENTIAL_TYPE_OPTIONS.filter(({ type, connectorId }) => fits(type, connectorId));
  return fitting.length === 1 ? fitting[0] : undefined;
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
