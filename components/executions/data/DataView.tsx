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
import { JsonView } from '@/components/ui/values/JsonView';
import classes from './DataView.module.css';
import type { TableState } from './table/DataTable';
import { DataTree } from './DataTree';
import { FieldSearch } from './field-search';
import { SchemaTree } from './SchemaTree';
import { listsIn, stepsTo, type FoundList } from './table/table-data';
import { SearchInput } from '@/components/ui/SearchInput';

const DataTable = lazy(() => import('./table/DataTable').then((module) => ({ default: module.DataTable })));

interface Props {
  label: string;
  value: unknown;
  /** What the canvas calls the node that the value comes from; the label stands behind it. */
  name?: string;
  /** Path of the value in expressions; makes its fields draggable. */
  path?: string;
  isFolded?: boolean;
}

const VIEWS = ['Fields', 'Table', 'JSON', 'Schema'] as const;
type View = (typeof VIEWS)[number];

/** What a person chose in a view of data. It stays when the view moves to the wide window and back. */
interface Chosen {
  view: View;
  search: string;
  /** Path of the list that is shown as a table. */
  list: string | undefined;
  /** By the path of the list. */
  tables: Readonly<Record<string, TableState>>;
}

const INITIAL: Chosen = { view: 'Fields', search: '', list: undefined, tables: {} };

/** A JSON value as a tree, as a table of a list inside it, as text, or as its fields and types. */
export function DataView({ label, name, value, path, isFolded = false }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWide, setWide] = useState(false);
  const [chosen, setChosen] = useState(INITIAL);
  const choose = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  const lists = useMemo(() => listsIn(value), [value]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const views = (
    <SegmentedControl<View>
      size="xs"
      aria-label={`View of ${label}`}
      data={VIEWS.map((each) => ({ value: each, label: each, disabled: each === 'Table' && lists.length === 0 }))}
      value={chosen.view}
      onChange={(view) => choose({ view })}
    />
  );
  const search = chosen.view === 'Fields' && isBranch(value) && (
    <SearchInput
      size="xs"
      className={classes.search}
      label={`Search the fields of ${label}`}
      placeholder="Search fields"
      value={chosen.search}
      onChange={(search) => choose({ search })}
    />
  );
  const content = <Content label={label} value={value} path={path} lists={lists} chosen={chosen} onChosen={choose} />;
  return (
    <div className={classes.view} role="group" aria-label={label}>
      <div className={classes.head}>
        <UnstyledButton className={classes.label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden />{' '}
          {name ? (
            <span>
              <b>{name}</b> {label}
            </span>
          ) : (
            label
          )}
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
          {isLarge(value) && search}
          {content}
        </>
      )}
      <Modal
        opened={isWide}
        stackId={id}
        onClose={() => setWide(false)}
        size="min(1400px, 96vw)"
        title={name ?? label}
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

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Values with fewer fields are read at a glance. */
const MANY_FIELDS = 15;

/** Whether a value has so many fields that a search helps. */
function isLarge(value: unknown): boolean {
  let left = MANY_FIELDS;
  const count = (each: unknown): void => {
    if (!isBranch(each)) return;
    for (const inner of Object.values(each) as unknown[]) {
      left -= 1;
      if (left < 0) return;
      count(inner);
    }
  };
  count(value);
  return left < 0;
}

interface ContentProps {
  label: string;
  value: unknown;
  path?: string;
  lists: FoundList[];
  chosen: Chosen;
  onChosen(part: Partial<Chosen>): void;
}

function Content({ label, value, path, lists, chosen, onChosen }: ContentProps) {
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
      return <Tables label={label} path={path} lists={lists} chosen={chosen} onChosen={onChosen} />;
  }
}

const NEW_TABLE: TableState = { query: { text: '', order: undefined }, hidden: undefined };

/** The table of one of the lists inside a value. */
function Tables({ label, path, lists, chosen, onChosen }: Omit<ContentProps, 'value'>) {
  const list = lists.find((each) => each.path === chosen.list) ?? lists[0];
  if (!list) return <Text size="xs">There is no list in this data.</Text>;
  const nameOf = (each: FoundList) => each.path || label;
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
          path={stepsTo(path, list.path)}
          state={chosen.tables[list.path] ?? NEW_TABLE}
          onState={(state) => onChosen({ tables: { ...chosen.tables, [list.path]: state } })}
        />
      </Suspense>
    </>
  );
}
