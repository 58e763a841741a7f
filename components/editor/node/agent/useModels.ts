import { useQuery } from '@tanstack/react-query';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import type { Reference } from '@/components/forms/model/references';

/** Models that a node can name: those of the provider of its credential, or all that are known. */
export function useModels({ credentialId }: Node, kind: NodeType | undefined): Reference[] {
  const trpc = useTRPC();
  const { model } = (kind?.configSchema.properties ?? {}) as Record<string, { 'x-models'?: Record<string, string[]> }>;
  const known = model?.['x-models'];
  const credential = useQuery(
    trpc.credentials.get.queryOptions(
      { params: { id: credentialId ?? '' } },
      { enabled: credentialId !== undefined && known !== undefined, retry: false },
    ),
  );
  if (!known || credential.isLoading) return [];
  const provider = credential.data?.config.provider;
  const named = typeof provider === 'string' ? (known[provider] ?? []) : Object.values(known).flat();
  return named.map((id) => ({ value: id, label: id }));
}
