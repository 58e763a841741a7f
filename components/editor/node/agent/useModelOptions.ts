import { useQuery } from '@tanstack/react-query';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import type { ReferenceOption } from '@/components/forms/model/reference-options';

/** Models that a node can name: those of the provider of its credential, or all that are known. */
export function useModelOptions(
  { credentialId }: WorkflowNode,
  kind: NodeTypeDescription | undefined,
): ReferenceOption[] {
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
