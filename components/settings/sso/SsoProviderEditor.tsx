import { Button, Drawer, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import type { SsoDomain, SsoProvider, SsoProviderCreate, SsoProviderUpdate } from '@/contract/access/sso';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ConfigForm } from '@/components/credentials/ConfigForm';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { DeleteSsoProvider } from './DeleteSsoProvider';
import { DomainVerification } from './DomainVerification';
import { emptied, ssoSchema, storedFields, type SsoKind } from './sso-kinds';
import { SsoSetup } from './SsoSetup';
import { useRoles } from '@/components/client/queries/useRoles';

interface Props {
  kind: SsoKind;
  /** Undefined: a new provider. */
  provider: SsoProvider | undefined;
  onCreated(provider: SsoProvider): void;
  onClose(): void;
}

/** The settings of a provider, and the values to copy to the provider. */
export function SsoProviderEditor({ kind, provider, onCreated, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { data: roles } = useRoles();
  const stored = storedFields(kind, provider);
  const [value, setValue] = useState(provider ? stored : { name: kind.label });
  const [domains, setDomains] = useState<SsoDomain[]>();
  const schema = ssoSchema(kind, roles?.data.map(({ name }) => name) ?? ['viewer']);
  const create = useMutation(
    trpc.ssoProviders.create.mutationOptions({
      // Stays open, because the values to copy exist only now.
      onSuccess: (created) => {
        refresh();
        onCreated(created);
      },
    }),
  );
  const update = useMutation(
    trpc.ssoProviders.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(
    provider ? update.error : create.error,
    (field) => (field.split(/[.[]/)[0] ?? '') in (schema.properties ?? {}),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The service validates every field.
    if (provider) {
      const body = emptied(stored, value) as z.input<typeof SsoProviderUpdate>;
      update.mutate({ params: { id: provider.id }, body });
    } else {
      const { type, preset } = kind;
      create.mutate({ body: { ...value, type, preset } as z.input<typeof SsoProviderCreate> });
    }
  };
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title={provider?.name ?? `New provider: ${kind.label}`}>
      <Stack gap="lg">
        {provider && <SsoSetup provider={provider} />}
        {provider && (
          <DomainVerification
            provider={{ ...provider, domainVerification: domains ?? provider.domainVerification }}
            onChecked={setDomains}
          />
        )}
        <form onSubmit={submit}>
          <Stack>
            <ErrorNote>{elsewhere}</ErrorNote>
            <ConfigForm
              schema={schema}
              secrets={['clientSecret']}
              storedSecrets={provider?.hasClientSecret ? ['clientSecret'] : []}
              value={value}
              errors={at}
              onChange={setValue}
            />
            <Group justify="space-between">
              <Button type="submit" loading={create.isPending || update.isPending}>
                {provider ? 'Save' : 'Add'}
              </Button>
              {provider && <DeleteSsoProvider provider={provider} onDeleted={onClose} />}
            </Group>
          </Stack>
        </form>
      </Stack>
    </Drawer>
  );
}
