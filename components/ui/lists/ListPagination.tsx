import { Group, Pagination } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';

interface Props {
  query: { data?: { total: number }; isPlaceholderData: boolean };
  perPage: number;
  page: number;
  onChange(page: number): void;
}

/** Pagination, shown only for more than one page. From a page beyond the end, of an address or after deletions, it goes to the last page. */
export function ListPagination({ query: { data, isPlaceholderData }, perPage, page, onChange }: Props) {
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / perPage));
  const isBeyondEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  const goToEnd = useEffectEvent(() => onChange(lastPage));
  useEffect(() => {
    if (isBeyondEnd) goToEnd();
  }, [isBeyondEnd]);
  if (lastPage === 1) return null;
  return (
    <Group justify="center" mt="lg">
      <Pagination
        total={lastPage}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  );
}
