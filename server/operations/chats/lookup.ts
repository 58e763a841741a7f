import type { Chat } from '@/contract/triggers/chat';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { pool } from '@/server/db/client';
import { AddressIds, isAddress, type Address } from '../pages/addresses';

/** The chat behind an address, with what its page needs. */
export interface AddressedChat extends Omit<Chat, 'url' | 'createdAt' | 'updatedAt'> {
  workspaceId: string;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
}

const AT = {
  name: 'chats-at',
  text: `
    SELECT c.id, c.workflow_id AS "workflowId", f.workspace_id AS "workspaceId", c.path, c.title, c.greeting, c.placeholder, c.examples,
      c.access, c.takes_files AS "takesFiles", c.enabled, f.status AS "workflowStatus", f.version AS "workflowVersion"
    FROM chat c JOIN workflow f ON f.id = c.workflow_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL
    WHERE c.workflow_id = $1 AND c.path = $2`,
};

/** Reads the chat at an address as it is now; null: there is none. */
export async function readChat(address: Address): Promise<AddressedChat | null> {
  if (!isAddress(address)) return null;
  const { rows } = await pool().query<AddressedChat>({ values: [address.workflowId, address.path], ...AT });
  return rows[0] ?? null;
}

export const chatIds = new AddressIds(readChat);
