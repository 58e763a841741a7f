import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { use, useRef } from 'react';
import type { FieldChoice } from '@/contract/choices';
import { readApiError, type ApiErrorBody } from '@/components/client/api-error';
import { READ_ANEW, useTRPCClient } from '@/components/client/trpc';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import { hasExpressionBraces, type ChoiceSource } from '../model/field-schema';
import { ChoiceTargetContext } from './choice-target';

/** Why a list could not be read. */
export interface ListFailure {
  /** Sentences for people. */
  message: string;
  /** The credential that is to blame: its page has its test and its settings. */
  credentialId?: string | undefined;
  onRetry(): void;
}

/** What a source lists for a form. */
export type FieldChoices =
  /** It depends on a field that has no value yet. */
  | { state: 'waiting'; field: string }
  /** The form has no credential yet. */
  | { state: 'signed-out' }
  /** It depends on a field whose value only a run knows, or the form cannot list anything. */
  | { state: 'unknown'; field?: string }
  | { state: 'loading' }
  | ({ state: 'failed' } & ListFailure)
  | { state: 'listed'; choices: readonly FieldChoice[]; isRefreshing: boolean; onMore?(): void; onRefresh(): void };

const CHOICES_STALE_MS = 60_000;

const isEmptyValue = (value: unknown): boolean => value === undefined || value === null || value === '';

/** What the fields of the request are called in a sentence. */
const BLAMED_PARTS: Readonly<Record<string, string>> = { credentialId: 'The credential', source: 'The service' };

/** A refusal in sentences. A service's own reason is one already. */
function refusalSentence({ field = '', message }: ApiErrorBody['details'][number]): string {
  const sentence = /^\p{Lu}/u.test(message) ? message : `${BLAMED_PARTS[field] ?? 'It'} ${message}`;
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** A list may change between its pages, so that a choice is in two of them. */
const uniqueChoices = (choices: readonly FieldChoice[]): FieldChoice[] => [
  ...new Map(choices.map((choice) => [String(choice.value), choice])).values(),
];

/** Lists the choices of a source beside the values of the other fields. */
export function useFieldChoices(
  { source, dependsOn, uses = [], needsCredential }: ChoiceSource,
  siblings: Readonly<Record<string, unknown>> = {},
  search = '',
): FieldChoices {
  const target = use(ChoiceTargetContext);
  const client = useTRPCClient();
  const missing = dependsOn.find((field) => isEmptyValue(siblings[field]));
  const used = [...dependsOn, ...uses];
  const computed = used.find((field) => hasExpressionBraces(siblings[field]));
  const values = Object.fromEntries(used.map((field) => [field, siblings[field]]));
  const isForeign = target?.connectorId !== undefined || needsCredential === true;
  // The API of a connector of the workspace may be open to everybody.
  const mayBeOpen = target?.connectorId?.startsWith('conn_') === true;
  const isSignedOut = target !== undefined && isForeign && !mayBeOpen && target.credentialId === undefined;
  // Who only reads a workflow may not use its accounts.
  const isReadOnly = use(ReadOnlyContext);
  const isAsked =
    target !== undefined && !isReadOnly && !isSignedOut && missing === undefined && computed === undefined;
  const isAnew = useRef(false);
  const readAnew = async () => {
    isAnew.current = true;
    await found.refetch();
    isAnew.current = false;
  };
  const found = useInfiniteQuery({
    queryKey: ['choices', target?.nodeType, target?.connectorId, target?.credentialId, source, values, search],
    enabled: isAsked,
    staleTime: CHOICES_STALE_MS,
    placeholderData: search === '' ? undefined : keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const body = { source, values, search, cursor, credentialId: isForeign ? target?.credentialId : undefined };
      const options = { signal, context: { [READ_ANEW]: isAnew.current } };
      return target?.connectorId === undefined
        ? client.nodeTypes.choices.mutate({ params: { type: target?.nodeType ?? '' }, body }, options)
        : client.connectors.choices.mutate({ params: { id: target.connectorId }, body }, options);
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (isSignedOut) return { state: 'signed-out' };
  if (missing !== undefined) return { state: 'waiting', field: missing };
  if (!isAsked) return { state: 'unknown', ...(computed === undefined ? {} : { field: computed }) };
  if (found.isError) {
    const { message, details } = readApiError(found.error);
    const [detail] = details;
    return {
      state: 'failed',
      message: detail ? refusalSentence(detail) : message,
      credentialId: detail?.field === 'credentialId' ? target?.credentialId : undefined,
      onRetry: () => void readAnew(),
    };
  }
  if (!found.data) return { state: 'loading' };
  return {
    state: 'listed',
    choices: uniqueChoices(found.data.pages.flatMap(({ data }) => data)),
    isRefreshing: found.isFetching,
    ...(found.hasNextPage ? { onMore: () => void found.fetchNextPage() } : {}),
    onRefresh: () => void readAnew(),
  };
}
