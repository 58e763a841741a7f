import { Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialType } from '@/contract/credentials/credential';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { CreateCredential } from '@/components/credentials/CreateCredential';
import { CredentialDialog } from '@/components/credentials/CredentialDialog';
import { readCredentialFilter, useCredentialOfNewNode } from './useCredentialOfNewNode';

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription;
  description?: string;
  /** Why the service refused the chosen credential. */
  error: string | undefined;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

const MAX_CREDENTIAL_OPTIONS = 50;

/** The credential of a node. It can be created, tested and edited here. */
export function CredentialField({ node, kind, description, error, onChange }: Props) {
  const trpc = useTRPC();
  const { credentialId } = node;
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [open, setOpen] = useState<'new' | 'known'>();
  const current = useQuery(
    trpc.credentials.get.queryOptions(
      { params: { id: credentialId ?? '' } },
      { enabled: credentialId !== undefined, retry: false },
    ),
  );
  const filter = readCredentialFilter(node, kind);
  // The field shows the name of the chosen credential: that is no search.
  const isSearch = wanted !== '' && wanted !== current.data?.name;
  const query = { ...filter, search: isSearch ? wanted : undefined, limit: MAX_CREDENTIAL_OPTIONS };
  const found = useQuery(trpc.credentials.list.queryOptions({ query }, { placeholderData: keepPreviousData }));

  const fits = (type: CredentialType, connectorId: string | null) =>
    kind.credentialTypes.includes(type) && (filter.connectorId === undefined || connectorId === filter.connectorId);
  const options = (found.data?.data ?? [])
    .filter(({ type, connectorId }) => fits(type, connectorId))
    .map(({ id, name }) => ({ value: id, label: name }));
  const isGone = current.error !== null && readApiError(current.error).code === 'NOT_FOUND';
  const name = isGone ? 'Deleted credential' : (current.data?.name ?? '…');
  const isListed = credentialId === undefined || options.some(({ value }) => value === credentialId);
  const choose = (id: string | null) => onChange({ credentialId: id ?? undefined }, 'credentialId');
  useCredentialOfNewNode(node, kind, onChange);
  return (
    <div data-field="credentialId">
      <Select
        label="Credential"
        description={description ?? 'Authenticates the requests of this node.'}
        placeholder="None"
        data={isListed ? options : [...options, { value: credentialId, label: name }]}
        value={credentialId ?? null}
        error={error ?? (isGone ? 'This credential was deleted. Choose another one.' : undefined)}
        clearable
        allowDeselect={false}
        searchable
        // The service filters.
        filter={({ options: all }) => all}
        nothingFoundMessage={found.isFetching ? 'Searching …' : 'No credential found'}
        onSearchChange={setSearch}
        onChange={choose}
      />
      <Group gap="xs" mt={6}>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={13} aria-hidden />}
          onClick={() => setOpen('new')}
        >
          New credential
        </Button>
        {credentialId && !isGone && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPlugConnected size={13} aria-hidden />}
            onClick={() => setOpen('known')}
          >
            Test or edit
          </Button>
        )}
      </Group>
      <CreateCredential isOpen={open === 'new'} fits={fits} onCreated={choose} onClose={() => setOpen(undefined)} />
      <CredentialDialog id={open === 'known' ? credentialId : undefined} onClose={() => setOpen(undefined)} />
    </div>
  );
}
