import { Button, Checkbox, Group, Menu, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3, IconDownload, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { isFileValue } from '@/contract/file-value';
import { saveAs } from '@/components/client/files';
import { useVisibleRows } from '@/components/ui/useVisibleRows';
import classes from './DataTable.module.css';
import { cellOf, columnsOf, csvOf, search, sortBy, textOf, type Direction } from './table-data';

const ROW_HEIGHT = 30;
/** More columns are hidden at first. */
const SHOWN_COLUMNS = 30;
/** A longer text is cut in its cell. */
const MOST_TEXT = 200;

const ICONS = { ascending: IconArrowUp, descending: IconArrowDown };

/** A list as a table: search, sorting, choice of columns and download. Only the visible rows are rendered. */
export function DataTable({ rows, name }: { rows: unknown[]; name: string }) {
  const all = useMemo(() => columnsOf(rows), [rows]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(all.slice(SHOWN_COLUMNS)));
  const [text, setText] = useState('');
  const [order, setOrder] = useState<{ column: string; direction: Direction }>();
  const wanted = useDeferredValue(text);
  const columns = all.filter((column) => !hidden.has(column));
  const found = useMemo(() => search(rows, all, wanted), [rows, all, wanted]);
  const sorted = useMemo(() => (order ? sortBy(found, order.column, order.direction) : found), [found, order]);
  const scroller = useRef<HTMLDivElement>(null);
  const { indices, above, below } = useVisibleRows(sorted.length, ROW_HEIGHT, scroller);
  const sort = (column: string) => {
    if (order?.column !== column) setOrder({ column, direction: 'ascending' });
    else setOrder(order.direction === 'ascending' ? { column, direction: 'descending' } : undefined);
  };
  const toggle = (column: string) => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    setHidden(next);
  };
  const count = sorted.length === rows.length ? '' : `${sorted.length.toLocaleString('en')} of `;
  return (
    <Stack gap={6}>
      <Group gap={6}>
        <TextInput
          size="xs"
          aria-label="Search rows"
          placeholder="Search rows"
          leftSection={<IconSearch size={13} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={classes.search}
        />
        <Columns all={all} hidden={hidden} onToggle={toggle} />
        <Download rows={sorted} columns={columns} name={name} />
      </Group>
      <div ref={scroller} className={classes.scroller} tabIndex={0} role="region" aria-label={`Rows of ${name}`}>
        <table className={classes.table} aria-rowcount={sorted.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => {
                const direction = order?.column === column ? order.direction : undefined;
                const Icon = direction && ICONS[direction];
                return (
                  <th key={column} aria-sort={direction ?? 'none'}>
                    <UnstyledButton
                      className={classes.heading}
                      title={`Sort by ${column}`}
                      onClick={() => sort(column)}
                    >
                      <span>{column}</span>
                      {Icon && <Icon size={12} aria-hidden />}
                    </UnstyledButton>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Space height={above} />}
            {indices.map((index) => (
              <tr key={index} aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <Cell key={column} value={cellOf(sorted[index], column)} />
                ))}
              </tr>
            ))}
            {below > 0 && <Space height={below} />}
          </tbody>
        </table>
      </div>
      <Text size="xs" c="dimmed" role="status">
        {count}
        {rows.length.toLocaleString('en')} {rows.length === 1 ? 'row' : 'rows'}
      </Text>
    </Stack>
  );
}

/** Takes the place of rows that are not rendered. */
const Space = ({ height }: { height: number }) => <tr aria-hidden style={{ height }} />;

function Cell({ value }: { value: unknown }) {
  const whole = isFileValue(value) ? value.name : textOf(value);
  const text = whole.length > MOST_TEXT ? `${whole.slice(0, MOST_TEXT)}…` : whole;
  return (
    <td title={text} data-number={typeof value === 'number' || undefined}>
      {text}
    </td>
  );
}

interface ColumnsProps {
  all: string[];
  hidden: ReadonlySet<string>;
  onToggle(column: string): void;
}

function Columns({ all, hidden, onToggle }: ColumnsProps) {
  return (
    <Popover position="bottom-end" shadow="md">
      <Popover.Target>
        <Button size="compact-xs" variant="default" leftSection={<IconColumns3 size={13} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.columns}>
        <Stack gap={6}>
          {all.map((column) => (
            <Checkbox
              key={column}
              size="xs"
              label={column}
              checked={!hidden.has(column)}
              onChange={() => onToggle(column)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Download({ rows, columns, name }: { rows: unknown[]; columns: string[]; name: string }) {
  const save = (content: string, type: string, ending: string) =>
    saveAs(new Blob([content], { type }), `${name}.${ending}`);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-xs" variant="default" leftSection={<IconDownload size={13} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save(csvOf(rows, columns), 'text/csv', 'csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => save(JSON.stringify(rows, null, 2), 'application/json', 'json')}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
