import { useDebouncedValue } from '@mantine/hooks';

const TYPING_MS = 200;

/** The state of a list with the search text of a moment ago, so that not every key asks the service. A search that was taken away counts at once. */
export function useDelayedSearch<State extends { search: string }>(state: State): State {
  const typed = state.search.trim();
  const [search] = useDebouncedValue(typed, TYPING_MS);
  return { ...state, search: typed === '' ? '' : search };
}
