import { isValidSignature, signText } from '@/server/platform/db/signing';
import { getRuntime } from '@/server/platform/runtime';

/** The node of a run at which a call may arrive, or has arrived. */
export interface CallTarget {
  executionId: string;
  /** The node's path: its id, inside rounds of loops `loop[3].inner`. */
  nodeId: string;
}

/** Domain separation: the same key also signs other tokens. */
const CALL_LINK_PURPOSE = 'weft call link\n';

/**
 * The address at which a `wait_for_call` node takes its call. Known before the node is reached. Only the service can
 * create it.
 */
export function buildCallUrl({ executionId, nodeId }: CallTarget): string {
  const text = Buffer.from(`${executionId} ${nodeId}`).toString('base64url');
  return `${getRuntime().env.apiBaseUrl}/calls/${text}.${signText(CALL_LINK_PURPOSE, text)}`;
}

/** Verifies the token of an address; null: the service did not create it. */
export function readCallToken(token: string): CallTarget | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isValidSignature(signature, CALL_LINK_PURPOSE, text)) return null;
  const decoded = Buffer.from(text, 'base64url').toString();
  const space = decoded.indexOf(' ');
  return { executionId: decoded.slice(0, space), nodeId: decoded.slice(space + 1) };
}
