import { MAX_CHOICES_PER_PAGE, type FieldChoice, type ListChoicesResponse } from '@/contract/choices';
import {
  isSearchedByService,
  toConnectorChoice,
  type FixedChoiceSource,
  type OperationChoiceSource,
  type SteppedChoiceSource,
} from '../choices';
import type { ConnectorDefinition } from '../connector';
import { askForChoices, ChoiceRefusal } from './choice-credential';
import { readChoiceItemPage, type ChoiceItemPage } from './choice-items';
import type { CallContext } from './send';

/** A place in a list: a page of the provider, and how many of its items were listed before. */
interface ChoicePosition {
  page: string | null;
  skipped: number;
}

const FIRST_POSITION: ChoicePosition = { page: null, skipped: 0 };

/** A search that the provider does not offer reads at most this many pages for one answer. */
const MAX_SEARCHED_PAGES = 10;

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

const containsText = ({ label, hint = '' }: FieldChoice, sought: string): boolean =>
  label.toLowerCase().includes(sought) || hint.toLowerCase().includes(sought);

/** Lists a page of what a source offers. Throws NodeFailure and ChoiceRefusal. */
async function listSourcePage(
  context: CallContext,
  source: OperationChoiceSource | SteppedChoiceSource,
  { values, search, cursor }: ConnectorChoiceRequest,
): Promise<ListChoicesResponse> {
  const isSearchedThere = isSearchedByService(source);
  const sought = search.toLowerCase();
  const start = cursor === undefined ? FIRST_POSITION : decodePosition(cursor);
  if (!start) throw new ChoiceRefusal('cursor', 'is not a cursor of this list');
  const found = cursor === undefined ? (source.first ?? []).filter((choice) => containsText(choice, sought)) : [];
  // A list may change between its pages, and services repeat items then.
  const known = new Set(found.map(({ value }) => String(value)));
  let position = start;
  for (let pages = 1; ; pages += 1) {
    const query = { values, search: isSearchedThere ? search : '', page: position.page };
    const { items, next }: ChoiceItemPage = await readChoiceItemPage(context, source, query);
    for (const [index, item] of items.entries()) {
      if (index < position.skipped) continue;
      if (found.length >= MAX_CHOICES_PER_PAGE)
        return { data: found, nextCursor: encodePosition({ page: position.page, skipped: index }) };
      const choice = toConnectorChoice(source, item);
      // A value with a secret in it could not be shown, and masked it would be another one.
      if (!choice || context.secrets.text(String(choice.value)) !== String(choice.value)) continue;
      if (known.has(String(choice.value)) || (!isSearchedThere && !containsText(choice, sought))) continue;
      known.add(String(choice.value));
      found.push(context.secrets.value(choice));
    }
    if (next === null || next === position.page) return { data: found, nextCursor: null };
    position = { page: next, skipped: 0 };
    // Pages without a match are passed over, so that a search finds something in one answer.
    if (found.length > 0 || pages === MAX_SEARCHED_PAGES) return { data: found, nextCursor: encodePosition(position) };
  }
}

/** Lists a page of choices that are the same for every account. */
export function listFixedChoices(
  { choices }: FixedChoiceSource,
  { search, cursor }: Pick<ConnectorChoiceRequest, 'search' | 'cursor'>,
): ListChoicesResponse {
  const position = cursor === undefined ? FIRST_POSITION : decodePosition(cursor);
  if (!position) throw new ChoiceRefusal('cursor', 'is not a cursor of this list');
  const sought = search.toLowerCase();
  const rest = choices.filter((choice) => containsText(choice, sought)).slice(position.skipped);
  const skipped = position.skipped + MAX_CHOICES_PER_PAGE;
  return {
    data: rest.slice(0, MAX_CHOICES_PER_PAGE),
    nextCursor: rest.length > MAX_CHOICES_PER_PAGE ? encodePosition({ page: null, skipped }) : null,
  };
}

/** Failures that the credential, or the rights of its account, cause. */
const CREDENTIAL_FAULTS = /^(?:CREDENTIAL_|API_REFUSED$|HTTP_STATUS$)/;

interface ConnectorChoiceCall extends ConnectorChoiceRequest {
  connector: ConnectorDefinition;
  source: OperationChoiceSource | SteppedChoiceSource;
  /** Undefined: the connector needs none. */
  credentialId: string | undefined;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

/** Asks a service, with a credential of the workspace, what a source offers. Throws ChoiceRefusal. */
export const listConnectorChoices = (
  workspaceId: string,
  { connector, source, credentialId, signal, ...request }: ConnectorChoiceCall,
): Promise<ListChoicesResponse> =>
  askForChoices(
    workspaceId,
    credentialId,
    (code) => CREDENTIAL_FAULTS.test(code),
    (opened) => {
      const call = { connector, workspaceId, idempotencyKey: `choices:${credentialId}`, log: () => undefined };
      return listSourcePage({ ...call, ...opened }, source, request);
    },
    signal,
  );
