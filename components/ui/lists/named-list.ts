import type { NamedListSort } from '@/contract/list-sort';
import type { AddressFormat } from '@/components/client/useAddressState';
import { parseSort } from './list-sort';

/** The orders of lists of named objects. The first one is that of the service, newest first. */
export const NAMED_LIST_SORTS: readonly [NamedListSort, ...NamedListSort[]] = [
  '-createdAt',
  'createdAt',
  'name',
  '-name',
  'updatedAt',
  '-updatedAt',
];

/** What is shown of a list of named objects. */
export interface NamedListState {
  search: string;
  sort: NamedListSort;
  page: number;
}

export const parsePage = (text: string | null): number => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1);

/** The part of the address after `?` for these parameters. Empty values, the first page and the first order are left out. */
export function encodeListAddress(
  parameters: Record<string, string>,
  { sort, page }: Omit<NamedListState, 'search'>,
): string {
  const all = { ...parameters, sort: sort === NAMED_LIST_SORTS[0] ? '' : sort, page: page === 1 ? '' : String(page) };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '')).toString();
}

export const NAMED_LIST_ADDRESS: AddressFormat<NamedListState> = {
  parse: (address) => ({
    search: address.get('search')?.slice(0, 200) ?? '',
    sort: parseSort(NAMED_LIST_SORTS, address.get('sort')),
    page: parsePage(address.get('page')),
  }),
  encode: ({ search, ...state }) => encodeListAddress({ search }, state),
};
