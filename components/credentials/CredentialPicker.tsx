import { Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialType } from '@/contract/credentials/credential';
import { useOnlyCredential } from './useOnlyCredential';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';

// The dialog contains the forms of all types, so it is loaded on demand.
const CreateCredential = lazyWithPreload(() => import('./CreateCredential').then((module) => module.CreateCredential));

interface Props {
  /** The credential that is needed. With `connectorId` null it belongs to no connector. */
  need: { label: string; help: string; types: CredentialType[]; connectorId: string | null };
  isRequired?: boolean;
  /** The only one that fits is chosen by itself. */
  choosesOnly?: boolean;
  autoFocus?: boolean;
  value: string | undefined;
  error: string | undefined;
  onChange(id: string | undefined): void;
}

const MAX_OFFERED_CREDENTIALS = 50;

/** A credential of a certain kind: one that is there, or a new one, created right here. */
export function CredentialPicker({
  need: { label, help, types, connectorId },
  isRequired,
  choosesOnly = false,
  autoFocus,
  value,
  error,
  onChange,
}: Props) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [isCreating, setIsCreating] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const current = useQuery(
    trpc.credentials.get.queryOptions({ params: { id: value ?? '' } }, { enabled: value !== undefined, retry: false }),
  );
  const [onlyType] = types.length === 1 ? types : [];
  const isSearch = wanted !== '' && wanted !== current.data?.name;
  const query = {
    search: isSearch ? wanted : undefined,
    type: onlyType,
    connectorId: connectorId ?? undefined,
    limit: MAX_OFFERED_CREDENTIALS,
  };
  const found = useQuery(trpc.credentials.list.queryOptions({ query }, { placeholderData: keepPreviousData }));
  const fits = (type: CredentialType, owner: string | null) => types.includes(type) && owner === connectorId;
  const options = (found.data?.data ?? [])
    .filter((credential) => fits(credential.type, credential.connectorId))
    .map(({ id, name }) => ({ value: id, label: name }));
  const isAll = found.data !== undefined && found.data.total <= MAX_OFFERED_CREDENTIALS && !isSearch;
  useOnlyCredential(
    choosesOnly && value === undefined,
    isAll && value === undefined ? options.map((option) => option.value) : [],
    onChange,
  );
  const isListed = value === undefined || options.some((option) => option.value === value);
  return (
    <div>
      <Select
        label={label}
        description={help}
        withAsterisk={isRequired}
        autoFocus={autoFocus}
        // A list that opens by itself would cover what is below.
        openOnFocus={!autoFocus}
        placeholder={options.length > 0 ? 'Choose a credential' : 'No credential fits yet'}
        data={isListed ? options : [...options, { value, label: current.data?.name ?? '…' }]}
        value={value ?? null}
        error={error}
        clearable
        // A click on the chosen one keeps it.
        allowDeselect={false}
        searchable
        // The service has filtered the options already.
        filter={({ options: all }) => all}
        nothingFoundMessage={found.isFetching ? 'Searching …' : 'No credential found'}
        onSearchChange={setSearch}
        onChange={(id) => onChange(id ?? undefined)}
      />
      <Group gap="xs" mt={6}>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={13} aria-hidden />}
          onClick={() => {
            setHasOpened(true);
            setIsCreating(true);
          }}
        >
          New credential for {label}
        </Button>
      </Group>
      {hasOpened && (
        <CreateCredential isOpen={isCreating} fits={fits} onCreated={onChange} onClose={() => setIsCreating(false)} />
      )}
    </div>
  );
}
