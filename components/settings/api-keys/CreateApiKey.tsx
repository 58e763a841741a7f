import { Alert, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiKeyScope } from '@/contract/access/api-key';
import { API_KEY_SCOPE_NAMES } from './scope-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { CreateDialog } from '../CreateDialog';
import { MS_PER_DAY } from '@/contract/units';

const SCOPE_DESCRIPTIONS: Record<ApiKeyScope, string> = {
  read: 'Read everything except members, SSO, API keys and audit log',
  write:
    'Read, and change and run workflows, runs, credentials, webhooks, forms, chats, schedules, polls, alerts, variables and tables',
  admin: 'Read, and manage members, roles, SSO, API keys and audit log',
  '*': 'All permissions of its creator',
};

const KEY_LIFETIME_OPTIONS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'No expiry' },
];

export function CreateApiKey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ApiKeyScope[]>(['read']);
  const [days, setDays] = useState('90');
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ onSuccess: refresh }));
  const { at, elsewhere } = splitFieldErrors(create.error, (field) => ['name', 'scopes', 'expiresAt'].includes(field));
  const close = () => {
    create.reset();
    setName('');
    onClose();
  };
  const submit = () => {
    const expiresAt = days === '0' ? null : new Date(Date.now() + Number(days) * MS_PER_DAY).toISOString();
    create.mutate({ body: { name: name.trim(), scopes, expiresAt } });
  };
  const outcome = create.data && (
    <>
      <Alert color="weld" title="Copy the key now">
        The key is shown only once.
      </Alert>
      <CopyableField label="Key" value={create.data.key} />
    </>
  );
  return (
    <CreateDialog
      isOpen={isOpen}
      title="New API key"
      action="Create"
      isBusy={create.isPending}
      isComplete={scopes.length > 0 && name.trim() !== ''}
      problem={elsewhere}
      outcome={outcome}
      onSubmit={submit}
      onClose={close}
    >
      <TextInput
        label="Name"
        placeholder="Nightly import"
        required
        maxLength={200}
        data-autofocus
        value={name}
        error={at.get('name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label="Scopes"
        value={scopes}
        error={at.get('scopes')}
        onChange={(values) => setScopes(values.map((value) => ApiKeyScope.parse(value)))}
      >
        <Stack gap="xs" my="xs">
          {ApiKeyScope.options.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={API_KEY_SCOPE_NAMES[scope]}
              description={SCOPE_DESCRIPTIONS[scope]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Lifetime"
        data={KEY_LIFETIME_OPTIONS}
        allowDeselect={false}
        value={days}
        error={at.get('expiresAt')}
        onChange={(value) => value && setDays(value)}
      />
    </CreateDialog>
  );
}
