import { isSigned, signatureOf } from '@/server/db/signing';
import { runtime } from '@/server/runtime';

/** The node of a run at which a call may arrive, or has arrived. */
export interface CallPlace {
  executionId: string;
  /** The node's path: its id, inside rounds of loops `loop[3].inner`. */
  nodeId: string;
}

/** Domain separation: the same key also signs other tokens. */
const PURPOSE = 'weft call link\n';

/** The address at which a `wait_for_call` node takes its call. Known before the node is reached. Only the service can create it. */
export function callUrl({ executionId, nodeId }: CallPlace): string {
  const text = Buffer.from(`${executionId} ${nodeId}`).toString('base64url');
  return `${runtime().env.apiBaseUrl}/calls/${text}.${signatureOf(PURPOSE, text)}`;
}

/** Verifies the token of an address; null: the service has not made it. */
export function readCallToken(token: string): CallPlace | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isSigned(signature, PURPOSE, text)) return null;
  const decoded = Buffer.from(text, 'base64url').toString();
  const space = decoded.indexOf(' ');
  return { executionId: decoded.slice(0, space), nodeId: decoded.slice(space + 1) };
}
