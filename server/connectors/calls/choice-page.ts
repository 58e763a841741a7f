import { MAX_CHOICES_PER_PAGE, type FieldChoice, type ListChoicesResponse } from '@/contract/choices';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { readListPage } from '@/server/evaluation/evaluator/read-page';
import { findBuiltInOperation } from '../catalogue';
import { toConnectorChoice, type ConnectorChoiceSource } from '../choices';
import type { ConnectorDefinition } from '../connector';
import { openCredentialForNode } from '../credential-for-node';
import type { DataOperation } from '../operation';
import { prepareFirstCall, type NodeConnectorCall } from './call';
import { nextPageCall, pagePosition, resumeAtPage } from './paging';
import { requireNoRefusal, sendPreparedCall, type CallContext } from './send';

/** A place in a list: a page of the provider, and how many of its items were listed before. */
interface ChoicePosition {
  page: string | null;
  skipped: number;
}

const FIRST_POSITION: ChoicePosition = { page: null, skipped: 0 };

/** A search that the provider does not offer reads at most this many pages for one answer. */
const MAX_SEARCHED_PAGES = 10;
/** The items of one page have at most this many characters of JSON. */
const MAX_CHOICE_ITEMS_JSON = 4 * 1024 * 1024;

const encodePosition = ({ page, skipped }: ChoicePosition): string =>
  Buffer.from(JSON.stringify([page, skipped])).toString('base64url');

/** The place that a cursor names; undefined: it is none. */
function decodePosition(cursor: string): ChoicePosition | undefined {
  try {
    const [page, skipped] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isPosition = (page === null || typeof page === 'string') && Number.isSafeInteger(skipped);
    return isPosition && Number(skipped) >= 0 ? { page, skipped: Number(skipped) } : undefined;
  } catch {
    return undefined;
  }
}

interface ConnectorChoiceRequest {
  values: Readonly<Record<string, string>>;
  search: string;
  cursor: string | undefined;
}

/** Why a source listed nothing: the field of the request that is to blame, and a message without secrets. */
export class ChoiceRefusal extends Error {
  constructor(
    readonly field: 'credentialId' | 'source' | 'cursor',
    message: string,
  ) {
    super(message);
  }
}

/** Reads one page of the provider: its items, and the place of the next page. */
async function readProviderPage(
  call: NodeConnectorCall,
  operation: DataOperation,
  page: string | null,
): Promise<{ items: unknown[]; next: string | null }> {
  const { workspaceId, signal, secrets } = call;
  const { paging, items: itemsPath = '' } = operation;
  const first = await prepareFirstCall(call, operation);
  const current = page === null ? first : resumeAtPage(operation, first, page);
  const answer = await sendPreparedCall(call, current);
  const places = { items: itemsPath, id: paging?.kind === 'last' ? paging.id : undefined };
  const read = await readListPage(answer.body, answer.headers['content-type'] ?? '', places, { workspaceId, signal });
  requireNoRefusal(call, answer, read.rest);
  if (read.items.length > MAX_CHOICE_ITEMS_JSON)
    throw new NodeFailure('TOO_LARGE', 'A page of the list is larger than 4 MiB.', false);
  const before = paging?.kind === 'offset' ? Number(page ?? 0) : 0;
  const following = nextPageCall(operation, current, answer, read, before + read.count);
  const next = following ? pagePosition(operation, following) : null;
  if (next !== null && secrets.text(next) !== next)
    throw new NodeFailure('BAD_RESPONSE', 'The address of the next page holds a secret, which is refused.', false);
  return { items: JSON.parse(`[${read.items}]`) as unknown[], next };
}

const containsText = ({ label, hint = '' }: FieldChoice, sought: string): boolean =>
  label.toLowerCase().includes(sought) || hint.toLowerCase().includes(sought);

/** Lists a page of what a source offers. Throws NodeFailure and ChoiceRefusal. */
async function listSourcePage(
  context: CallContext,
  source: ConnectorChoiceSource,
  { values, search, cursor }: ConnectorChoiceRequest,
): Promise<ListChoicesResponse> {
  const operation = findBuiltInOperation(context.connector, source.operation);
  if (!operation || operation.steps) throw new Error(`No operation ${source.operation} lists choices.`);
  const given = Object.entries(source.parametersFrom ?? {}).map(([parameter, field]) => [parameter, values[field]]);
  const isSearchedThere = source.search !== undefined && search !== '';
  const parameters = {
    ...source.parameters,
    ...(Object.fromEntries(given) as Record<string, unknown>),
    ...(isSearchedThere ? { [source.search ?? '']: search } : {}),
  };
  const call = { ...context, operation: source.operation, parameters };
  const sought = isSearchedThere ? '' : search.toLowerCase();
  let position = cursor === undefined ? FIRST_POSITION : decodePosition(cursor);
  if (!position) throw new ChoiceRefusal('cursor', 'is not a cursor of this list');
  const found: FieldChoice[] = [];
  for (let pages = 1; ; pages += 1) {
    const { items, next }: { items: unknown[]; next: string | null } = await readProviderPage(
      call,
      operation,
      position.page,
    );
    for (const [index, item] of items.entries()) {
      if (index < position.skipped) continue;
      if (found.length === MAX_CHOICES_PER_PAGE)
        return { data: found, nextCursor: encodePosition({ page: position.page, skipped: index }) };
      const choice = toConnectorChoice(source, item);
      // A value with a secret in it could not be shown, and masked it would be another one.
      if (!choice || context.secrets.text(String(choice.value)) !== String(choice.value)) continue;
      if (containsText(choice, sought)) found.push(context.secrets.value(choice));
    }
    if (next === null || next === position.page) return { data: found, nextCursor: null };
    position = { page: next, skipped: 0 };
    // Pages without a match are passed over, so that a search finds something in one answer.
    if (found.length > 0 || pages === MAX_SEARCHED_PAGES) return { data: found, nextCursor: encodePosition(position) };
  }
}

/** A source that takes longer gives no answer. */
const CHOICE_TIMEOUT_MS = 10_000;

/** Failures that the credential, or the rights of its account, cause. */
const CREDENTIAL_FAULTS = /^(?:CREDENTIAL_|API_REFUSED$|HTTP_STATUS$)/;

interface ConnectorChoiceCall extends ConnectorChoiceRequest {
  connector: ConnectorDefinition;
  source: ConnectorChoiceSource;
  credentialId: string;
}

/** Asks a service, with a credential of the workspace, what a source offers. Throws ChoiceRefusal. */
export async function listConnectorChoices(
  workspaceId: string,
  { connector, source, credentialId, ...request }: ConnectorChoiceCall,
): Promise<ListChoicesResponse> {
  const known: string[] = [];
  const signal = AbortSignal.timeout(CHOICE_TIMEOUT_MS);
  try {
    const credential = await openCredentialForNode(workspaceId, credentialId, (secrets) => known.push(...secrets));
    const context: CallContext = {
      connector,
      workspaceId,
      credential,
      secrets: createRedactor(known),
      signal,
      idempotencyKey: `choices:${credentialId}`,
      log: () => undefined,
    };
    return await listSourcePage(context, source, request);
  } catch (error) {
    if (signal.aborted) throw new ChoiceRefusal('source', 'gave no answer within 10 seconds');
    if (!(error instanceof NodeFailure)) throw error;
    const field = CREDENTIAL_FAULTS.test(error.code) ? 'credentialId' : 'source';
    throw new ChoiceRefusal(field, createRedactor(known).text(error.message));
  }
}
