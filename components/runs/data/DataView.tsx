import {
  ActionIcon,
  Group,
  Loader,
  Modal,
  SegmentedControl,
  Select,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { IconArrowsMaximize, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { lazy, Suspense, useDeferredValue, useId, useMemo, useState } from 'react';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import { JsonView } from '@/components/ui/values/JsonView';
import classes from './DataView.module.css';
import type { DataTableState } from './table/DataTable';
import { DataTree } from './DataTree';
import { FieldSearch } from './field-search';
import { SchemaTree } from './SchemaTree';
import { findLists, appendPath, type ListInValue } from './table/table-data';
import { SearchInput } from '@/components/ui/SearchInput';

const DataTable = lazy(() => import('./table/DataTable').then((module) => ({ default: module.DataTable })));

interface Props {
  label: string;
  value: unknown;
  /** The title on the canvas of the node that the value comes from. It is shown in place of the label. */
  name?: string;
  /** Path of the value in expressions; makes its fields draggable. */
  path?: string;
  isFolded?: boolean;
}

const DATA_VIEWS = ['Fields', 'Table', 'JSON', 'Schema'] as const;
type DataViewName = (typeof DATA_VIEWS)[number];

/** What a person chose in a view of data. It stays when the view moves to the wide window and back. */
interface DataViewState {
  view: DataViewName;
  search: string;
  /** Path of the list that is shown as a table. */
  list: string | undefined;
  /** The state of each table, by the path of its list. */
  tables: Readonly<Record<string, DataTableState>>;
}

const INITIAL_VIEW_STATE: DataViewState = { view: 'Fields', search: '', list: undefined, tables: {} };

/** A JSON value as a tree, as a table of a list inside it, as text, or as its fields and types. */
export function DataView({ label, name, value, path, isFolded = false }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWide, setWide] = useState(false);
  const [chosen, setChosen] = useState(INITIAL_VIEW_STATE);
  const choose = (part: Partial<DataViewState>) => setChosen((before) => ({ ...before, ...part }));
  const lists = useMemo(() => findLists(value), [value]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const views = (
    <SegmentedControl<DataViewName>
      size="xs"
      aria-label={`View of ${label}`}
      data={DATA_VIEWS.map((each) => ({ value: each, label: each, disabled: each === 'Table' && lists.length === 0 }))}
      value={chosen.view}
      onChange={(view) => choose({ view })}
    />
  );
  const search = chosen.view === 'Fields' && isNestedValue(value) && (
    <SearchInput
      size="xs"
      className={classes.search}
      label={`Search the fields of ${label}`}
      placeholder="Search fields"
      value={chosen.search}
      onChange={(search) => choose({ search })}
    />
  );
  const content = (
    <SelectedView label={label} value={value} path={path} lists={lists} chosen={chosen} onChosen={choose} />
  );
  return (
    <div className={classes.view} role="group" aria-label={label}>
      <div className={classes.head}>
        <UnstyledButton className={classes.label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden /> {name ? <b title={label}>{name}</b> : startWithCapital(label)}
        </UnstyledButton>
        {isOpen && (
          <Group gap={2} wrap="nowrap">
            {views}
            <Tooltip label="Show in a wide window">
              <ActionIcon size="sm" aria-label={`Show ${label} in a wide window`} onClick={() => setWide(true)}>
                <IconArrowsMaximize size={14} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
      </div>
      {isOpen && !isWide && (
        <>
          {hasManyFields(value) && search}
          {content}
        </>
      )}
      <Modal
        opened={isWide}
        stackId={id}
        onClose={() => setWide(false)}
        size="min(1400px, 96vw)"
        title={name ?? startWithCapital(label)}
        classNames={{ content: classes.window }}
      >
        <Group gap="sm">
          {views}
          {search}
        </Group>
        <div className={classes.wide}>{content}</div>
      </Modal>
    </div>
  );
}

const isNestedValue = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Values with fewer fields are read at a glance. */
const SEARCHABLE_FIELD_COUNT = 15;

/** Whether a value has so many fields that a search helps. */
function hasManyFields(value: unknown): boolean {
  let left = SEARCHABLE_FIELD_COUNT;
  const count = (each: unknown): void => {
    if (!isNestedValue(each)) return;
    for (const inner of Object.values(each) as unknown[]) {
      left -= 1;
      if (left < 0) return;
      count(inner);
    }
  };
  count(value);
  return left < 0;
}

interface SelectedViewProps {
  label: string;
  value: unknown;
  path?: string;
  lists: ListInValue[];
  chosen: DataViewState;
  onChosen(part: Partial<DataViewState>): void;
}

function SelectedView({ label, value, path, lists, chosen, onChosen }: SelectedViewProps) {
  const text = useDeferredValue(chosen.search.trim());
  const search = useMemo(() => (text === '' ? undefined : new FieldSearch(text)), [text]);
  switch (chosen.view) {
    case 'Fields':
      return (
        <>
          <DataTree value={value} path={path} search={search} />
          {search?.isShown('', value) === false && search.isCut && (
            <Text size="xs">The data is too large to search all of it. Search the rows of its table.</Text>
          )}
        </>
      );
    case 'JSON':
      return <JsonView label={`${label} as JSON`} value={value} />;
    case 'Schema':
      return <SchemaTree value={value} path={path} />;
    case 'Table':
      return <ListTables label={label} path={path} lists={lists} chosen={chosen} onChosen={onChosen} />;
  }
}

const INITIAL_TABLE_STATE: DataTableState = { query: { text: '', order: undefined }, hidden: undefined };

/** The table of one of the lists inside a value. */
function ListTables({ label, path, lists, chosen, onChosen }: Omit<SelectedViewProps, 'value'>) {
  const list = lists.find((each) => each.path === chosen.list) ?? lists[0];
  if (!list) return <Text size="xs">There is no list in this data.</Text>;
  const nameOf = (each: ListInValue) => each.path || label;
  return (
    <>
      {lists.length > 1 && (
        <Select
          size="xs"
          mb={6}
          aria-label="List"
          data={lists.map((each) => ({
            value: each.path,
            label: `${nameOf(each)} (${each.rows.length.toLocaleString('en')})`,
          }))}
          value={list.path}
          allowDeselect={false}
          onChange={(next) => onChosen({ list: next ?? undefined })}
        />
      )}
      <Suspense fallback={<Loader size="xs" aria-label="Loading" />}>
        <DataTable
          key={list.path}
          rows={list.rows}
          name={nameOf(list)}
          path={appendPath(path, list.path)}
          state={chosen.tables[list.path] ?? INITIAL_TABLE_STATE}
          onState={(state) => onChosen({ tables: { ...chosen.tables, [list.path]: state } })}
          renderRow={(row, at) => <DataTree value={row} path={at} />}
        />
      </Suspense>
    </>
  );
}
