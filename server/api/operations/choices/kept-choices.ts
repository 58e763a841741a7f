import type { FieldChoice, ListChoicesResponse } from '@/contract/choices';
import type { SignedInCall } from '@/server/api/operation/operation';
import { ChoiceRefusal } from '@/server/connectors/calls/choice-credential';
import { requireReferenceUse } from '@/server/people/access/references';
import { LruCache } from '@/server/platform/cache/lru';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { toPlainChoice } from './choice-source';

const CHOICES_KEPT_MS = 60_000;
const MAX_KEPT_PAGES = 2000;
const MAX_KEPT_JSON = 20 * 1024 * 1024;

/**
 * Cache: people open the same list again and again, and providers limit calls. Permissions are checked before it is
 * read.
 */
const keptPages = new LruCache<{ page: ListChoicesResponse; until: number }>(MAX_KEPT_PAGES, MAX_KEPT_JSON);

const isFreshWanted = ({ headers }: SignedInCall): boolean =>
  /(?:^|,)\s*no-(?:cache|store)\s*(?:,|$)/i.test(headers.get('cache-control') ?? '');

/** The page that was listed within a minute, or a new one. Workspaces share none. */
export async function keepChoices(
  call: SignedInCall,
  parts: readonly unknown[],
  list: () => Promise<ListChoicesResponse>,
): Promise<ListChoicesResponse> {
  const key = JSON.stringify([call.caller.workspaceId, ...parts]);
  const kept = keptPages.get(key);
  if (kept && kept.until > Date.now() && !isFreshWanted(call)) return kept.page;
  const page = await list();
  keptPages.set(key, { page, until: Date.now() + CHOICES_KEPT_MS }, JSON.stringify(page).length);
  return page;
}

/** A credential of the workspace that the caller may use and that the source takes. */
export async function requireChoiceCredential(
  { db, caller }: SignedInCall,
  credentialId: string | undefined,
  isTaken: (row: { type: string; connectorId: string | null }) => boolean,
  takenBy: string,
): Promise<{ id: string; version: number }> {
  if (credentialId === undefined) throw invalidFieldProblem('credentialId', 'is required');
  await requireReferenceUse(db, caller, { resource: 'credential', id: credentialId });
  const row = await db.credential.findFirst({
    where: { id: credentialId, workspaceId: caller.workspaceId },
    select: { id: true, version: true, type: true, connectorId: true },
  });
  if (!row) throw invalidFieldProblem('credentialId', 'is not a credential of this workspace');
  if (!isTaken(row)) throw invalidFieldProblem('credentialId', `is not one of ${takenBy}`);
  return row;
}

/** A page with plain texts; a refusal names the field of the request that is to blame. */
export async function refuseByField(
  list: () => Promise<{ data: FieldChoice[]; nextCursor: string | null }>,
): Promise<ListChoicesResponse> {
  try {
    const { data, nextCursor } = await list();
    return { data: data.map(toPlainChoice), nextCursor };
  } catch (error) {
    throw error instanceof ChoiceRefusal ? invalidFieldProblem(error.field, error.message) : error;
  }
}
