import { Anchor, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { NodeType } from '@/contract/node-type';
import type { Node } from '@/contract/workflow';
import { useTRPC } from '../client/trpc';

interface Props {
  node: Node;
  kind: NodeType;
  onChange(part: Partial<Node>, field: string): void;
}

/** Which credential the node calls with. Making and testing one opens beside, and shows up here on coming back. */
export function CredentialField({ node, kind, onChange }: Props) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.credentials.list.queryOptions({ query: { limit: '100' } }, { refetchOnWindowFocus: 'always' }),
  );
  const fitting = data?.data.filter(({ type }) => kind.credentialTypes.includes(type)) ?? [];
  const options = fitting.map(({ id, name }) => ({ value: id, label: name }));
  const { credentialId } = node;
  const isGone = data !== undefined && credentialId !== undefined && !fitting.some(({ id }) => id === credentialId);
  return (
    <div>
      <Select
        label="Credential"
        description="What the node proves with who it is."
        placeholder="None"
        data={isGone ? [...options, { value: credentialId, label: 'A credential that is gone' }] : options}
        value={credentialId ?? null}
        error={isGone ? 'It was deleted, or is of another kind. Choose another one.' : undefined}
        clearable
        searchable={options.length > 8}
        onChange={(id) => onChange({ credentialId: id ?? undefined }, 'credential')}
      />
      <Group gap="md" mt={6}>
        <Anchor href="/credentials" target="_blank" size="xs">
          New credential
        </Anchor>
        {credentialId && !isGone && (
          <Anchor href={`/credentials/${credentialId}`} target="_blank" size="xs">
            Test or change it
          </Anchor>
        )}
      </Group>
    </div>
  );
}
