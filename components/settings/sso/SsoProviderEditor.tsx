import { Button, Drawer, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import type {
  SsoDomainVerification,
  SsoProviderResponse,
  CreateSsoProviderRequest,
  UpdateSsoProviderRequest,
} from '@/contract/access/sso';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CredentialFields } from '@/components/credentials/CredentialFields';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { DeleteSsoProvider } from './DeleteSsoProvider';
import { DomainVerification } from './DomainVerification';
import { withClearedFields, ssoFormSchema, storedSsoFields, type SsoProviderOption } from './sso-kinds';
import { SsoSetup } from './SsoSetup';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';

interface Props {
  kind: SsoProviderOption;
  /** Undefined: a new provider. */
  provider: SsoProviderResponse | undefined;
  onCreated(provider: SsoProviderResponse): void;
  onClose(): void;
}

/** The settings of a provider, and the values to copy to the provider. */
export function SsoProviderEditor({ kind, provider, onCreated, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data: roles } = useWorkspaceRoles();
  const stored = storedSsoFields(kind, provider);
  const [value, setValue] = useState(provider ? stored : { name: kind.label });
  const [domains, setDomains] = useState<SsoDomainVerification[]>();
  const schema = ssoFormSchema(kind, roles?.data.map(({ name }) => name) ?? ['viewer']);
  const create = useMutation(
    trpc.ssoProviders.create.mutationOptions({
      // The editor stays open, because the values to copy exist only from now on.
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
  const { at, elsewhere } = splitFieldErrors(
    provider ? update.error : create.error,
    (field) => (field.split(/[.[]/)[0] ?? '') in (schema.properties ?? {}),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The service validates every field.
    if (provider) {
      const body = withClearedFields(stored, value) as z.input<typeof UpdateSsoProviderRequest>;
      update.mutate({ params: { id: provider.id }, body });
    } else {
      const { type, preset } = kind;
      create.mutate({ body: { ...value, type, preset } as z.input<typeof CreateSsoProviderRequest> });
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
            <FormErrorAlert>{elsewhere}</FormErrorAlert>
            <CredentialFields
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
