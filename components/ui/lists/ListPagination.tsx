import { Group, Pagination } from '@mantine/core';

interface Props {
  total: number | undefined;
  perPage: number;
  page: number;
  onChange(page: number): void;
}

/** Pagination, shown only for more than one page. */
export function ListPagination({ total = 0, perPage, page, onChange }: Props) {
  if (total <= perPage) return null;
  return (
    <Group justify="center" mt="lg">
      <Pagination
        total={Math.ceil(total / perPage)}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  );
}
