import { Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialType } from '@/contract/credential';
import type { NodeType } from '@/contract/node-type';
import type { Node } from '@/contract/workflow';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { CreateCredential } from '../credentials/CreateCredential';
import { CredentialDialog } from '../credentials/CredentialDialog';

interface Props {
  node: Node;
  kind: NodeType;
  onChange(part: Partial<Node>, field: string): void;
}

const MOST = 50;

/** Which credential the node calls with. It is made, tried and changed right here. */
export function CredentialField({ node, kind, onChange }: Props) {
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
  const owner = typeof node.config.connectorId === 'string' ? node.config.connectorId : undefined;
  const [onlyType] = kind.credentialTypes.length === 1 ? (kind.credentialTypes as CredentialType[]) : [];
  // The name of the chosen one stands in the field: that is no search.
  const isSearch = wanted !== '' && wanted !== current.data?.name;
  const query = { search: isSearch ? wanted : undefined, type: onlyType, connectorId: owner, limit: MOST };
  const found = useQuery(trpc.credentials.list.queryOptions({ query }, { placeholderData: keepPreviousData }));

  const fits = (type: CredentialType, connectorId: string | null) =>
    kind.credentialTypes.includes(type) && (owner === undefined || connectorId === owner);
  const options = (found.data?.data ?? [])
    .filter(({ type, connectorId }) => fits(type, connectorId))
    .map(({ id, name }) => ({ value: id, label: name }));
  const isGone = current.error !== null && problemOf(current.error).code === 'NOT_FOUND';
  const name = isGone ? 'A credential that is gone' : (current.data?.name ?? '…');
  const isListed = credentialId === undefined || options.some(({ value }) => value === credentialId);
  const choose = (id: string | null) => onChange({ credentialId: id ?? undefined }, 'credential');
  return (
    <div>
      <Select
        label="Credential"
        description="What the node proves with who it is."
        placeholder="None"
        data={isListed ? options : [...options, { value: credentialId, label: name }]}
        value={credentialId ?? null}
        error={isGone ? 'It was deleted. Choose another one.' : undefined}
        clearable
        searchable
        // The service has looked already.
        filter={({ options: all }) => all}
        nothingFoundMessage={found.isFetching ? 'Looking …' : 'There is none'}
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
            Test or change it
          </Button>
        )}
      </Group>
      <CreateCredential
        isOpen={open === 'new'}
        fits={fits}
        onCreated={(id) => {
          choose(id);
          setOpen('known');
        }}
        onClose={() => setOpen(undefined)}
      />
      <CredentialDialog id={open === 'known' ? credentialId : undefined} onClose={() => setOpen(undefined)} />
    </div>
  );
}
