import { Table, type TableThProps } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { isDescendingSort, nextSort, sortedField } from './list-sort';
import classes from './SortableHeader.module.css';

interface Props<Sort extends string> extends Omit<TableThProps, 'onChange'> {
  label: string;
  /** The order that the first click gives. The next one reverses it. */
  first: Sort;
  sort: Sort;
  onSort(sort: Sort): void;
}

/** The header of a column by which the list can be sorted. */
export function SortableHeader<Sort extends string>({ label, first, sort, onSort, ...look }: Props<Sort>) {
  const isSorted = sortedField(sort) === sortedField(first);
  const isDescending = isDescendingSort(sort);
  const Arrow = !isSorted ? IconArrowsSort : isDescending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th {...look} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" className={classes.button} onClick={() => onSort(nextSort(sort, first))}>
        {label}
        <Arrow size={13} aria-hidden className={classes.arrow} data-sorted={isSorted || undefined} />
      </button>
    </Table.Th>
  );
}
