import type { ChatTrigger } from '@/contract/triggers/chat';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { AddressIdCache, isPageAddress, type PageAddress } from '../pages/addresses';

/** A chat that was found by its address, with the fields that its page needs. */
export interface AddressedChat extends Omit<ChatTrigger, 'url' | 'createdAt' | 'updatedAt'> {
  workspaceId: string;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
}

const CHAT_AT_ADDRESS_QUERY = {
  name: 'chats-at',
  text: `
    SELECT c.id, c.workflow_id AS "workflowId", f.workspace_id AS "workspaceId", c.path, c.title, c.greeting, c.placeholder, c.examples,
      c.access, c.takes_files AS "takesFiles", c.enabled, c.start_node_id AS "startNodeId", f.status AS "workflowStatus", f.version AS "workflowVersion"
    FROM chat c JOIN workflow f ON f.id = c.workflow_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL
    WHERE c.workflow_id = $1 AND c.path = $2`,
};

/** Reads the chat at an address as it is now; null: there is none. */
export async function readAddressedChat(address: PageAddress): Promise<AddressedChat | null> {
  if (!isPageAddress(address)) return null;
  const { rows } = await databasePool().query<AddressedChat>({
    values: [address.workflowId, address.path],
    ...CHAT_AT_ADDRESS_QUERY,
  });
  return rows[0] ?? null;
}

export const chatIdsByAddress = new AddressIdCache(readAddressedChat);
