import { useQuery } from '@tanstack/react-query';
import type { CredentialType } from '@/contract/credentials/credential';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import { useOnlyCredential } from '@/components/credentials/useOnlyCredential';
import { useDraft } from '../draft/draft';

/** Which credentials a node takes, as far as the service can filter them. Empty: those of any service. */
export function readCredentialFilter(
  { config }: WorkflowNode,
  { credentialTypes }: NodeTypeDescription,
): { connectorId?: string; type?: CredentialType } {
  const [type] = credentialTypes.length === 1 ? (credentialTypes as CredentialType[]) : [];
  return { ...(typeof config.connectorId === 'string' && { connectorId: config.connectorId }), ...(type && { type }) };
}

/** A new node gets the only credential that fits. */
export function useCredentialOfNewNode(
  node: WorkflowNode,
  kind: NodeTypeDescription,
  onChange: (part: Partial<WorkflowNode>, field: string) => void,
): void {
  const trpc = useTRPC();
  const isNew = useDraft((draft) => draft.addedId === node.id);
  const filter = readCredentialFilter(node, kind);
  // Nodes that take credentials of any service get none by themselves, because it would be sent to a server that the
  // person has not seen.
  const isWanted = isNew && node.credentialId === undefined && Object.keys(filter).length > 0;
  const query = { ...filter, limit: 2 };
  const found = useQuery(trpc.credentials.list.queryOptions({ query }, { enabled: isWanted }));
  const ids = isWanted ? (found.data?.data ?? []).map(({ id }) => id) : [];
  useOnlyCredential(isWanted, ids, (credentialId) => onChange({ credentialId }, 'credentialId'));
}
