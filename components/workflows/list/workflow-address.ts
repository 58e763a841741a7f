import type { NamedListSort } from '@/contract/list-sort';
import { WORKFLOW_STATUSES } from '@/contract/states';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { AddressFormat } from '@/components/client/useAddressState';
import { parseSort } from '@/components/ui/lists/list-sort';
import { encodeListAddress, NAMED_LIST_SORTS, parsePage, type NamedListState } from '@/components/ui/lists/named-list';

/** What is shown of the list of workflows, as it stands in the address of the page. Null means any. */
export interface WorkflowListState extends NamedListState {
  /** The open folder. Null: the top level. */
  folderId: string | null;
  status: WorkflowStatus | null;
  tag: string | null;
  isFavorite: boolean;
}

export const WORKFLOW_LIST_ADDRESS: AddressFormat<WorkflowListState> = {
  parse: (address) => ({
    search: address.get('search')?.slice(0, 200) ?? '',
    folderId: address.get('folder')?.slice(0, 100) || null,
    status: WORKFLOW_STATUSES.find((status) => status === address.get('status')) ?? null,
    tag: address.get('tag')?.slice(0, 50) || null,
    isFavorite: address.get('favourites') === 'true',
    sort: parseSort(NAMED_LIST_SORTS, address.get('sort')),
    page: parsePage(address.get('page')),
  }),
  encode: ({ folderId, search, status, tag, isFavorite, ...state }) =>
    encodeListAddress(
      { folder: folderId ?? '', search, status: status ?? '', tag: tag ?? '', favourites: isFavorite ? 'true' : '' },
      state,
    ),
};

/** Whether only some of the workflows of the place are shown. */
export const isFilteredState = ({ search, status, tag, isFavorite }: WorkflowListState): boolean =>
  search.trim() !== '' || status !== null || tag !== null || isFavorite;

/** The state without filters, in the same place and order. */
export const withoutFilters = (state: WorkflowListState): WorkflowListState => ({
  ...state,
  search: '',
  status: null,
  tag: null,
  isFavorite: false,
  page: 1,
});

/**
 * The query of the list. A folder shows what is directly in it. The top level shows what is in no folder, but a search or a filter there
 * looks into all folders.
 */
export const workflowListQuery = (state: WorkflowListState) => ({
  search: state.search.trim() || undefined,
  status: state.status ?? undefined,
  tag: state.tag ?? undefined,
  folderId: state.folderId ?? (isFilteredState(state) ? undefined : 'none'),
  favorite: state.isFavorite ? ('true' as const) : undefined,
  sort: state.sort,
});

/** The address of a folder, or of the top level, whose list keeps this order. */
export function folderPath(id: string | null, sort: NamedListSort): string {
  const address = encodeListAddress({ folder: id ?? '' }, { sort, page: 1 });
  return address === '' ? '/workflows' : `/workflows?${address}`;
}
