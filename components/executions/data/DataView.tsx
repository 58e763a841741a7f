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
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import { JsonView } from '@/components/ui/values/JsonView';
import classes from './DataView.module.css';
import { DataTree } from './DataTree';
import { SchemaTree } from './SchemaTree';
import { listsIn, type FoundList } from './table-data';

const DataTable = lazy(() => import('./DataTable').then((module) => ({ default: module.DataTable })));

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

/** A JSON value as a tree, as a table of a list inside it, as text, or as its fields and types. */
export function DataView({ label, name, value, path, isFolded = false }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWide, setWide] = useState(false);
  const [view, setView] = useState<View>('Fields');
  const lists = useMemo(() => listsIn(value), [value]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const views = (
    <SegmentedControl<View>
      size="xs"
      aria-label={`View of ${label}`}
      data={VIEWS.map((each) => ({ value: each, label: each, disabled: each === 'Table' && lists.length === 0 }))}
      value={view}
      onChange={setView}
    />
  );
  const content = <Content view={view} label={label} value={value} path={path} lists={lists} />;
  return (
    <section className={classes.view} aria-label={label}>
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
      {isOpen && !isWide && content}
      <Modal opened={isWide} stackId={id} onClose={() => setWide(false)} size="min(1400px, 96vw)" title={name ?? label}>
        {views}
        <div className={classes.wide}>{content}</div>
      </Modal>
    </section>
  );
}

interface ContentProps {
  view: View;
  label: string;
  value: unknown;
  path?: string;
  lists: FoundList[];
}

function Content({ view, label, value, path, lists }: ContentProps) {
  if (view === 'Fields') return <DataTree value={value} path={path} />;
  if (view === 'JSON') return <JsonView label={`${label} as JSON`} value={value} />;
  if (view === 'Schema') return <SchemaTree value={value} path={path} />;
  return <Tables label={label} lists={lists} />;
}

/** The table of one of the lists inside a value. */
function Tables({ label, lists }: Pick<ContentProps, 'label' | 'lists'>) {
  const [chosen, choose] = useState<string>();
  const list = lists.find(({ path }) => path === chosen) ?? lists[0];
  if (!list) return <Text size="xs">There is no list in this data.</Text>;
  const nameOf = ({ path }: FoundList) => path || label;
  return (
    <>
      {lists.length > 1 && (
        <Select
          size="xs"
          mb={6}
          aria-label="List"
          data={lists.map((each) => ({ value: each.path, label: `${nameOf(each)} (${each.rows.length})` }))}
          value={list.path}
          allowDeselect={false}
          onChange={(next) => choose(next ?? undefined)}
        />
      )}
      <Suspense fallback={<Loader size="xs" aria-label="Loading" />}>
        <DataTable key={list.path} rows={list.rows} name={nameOf(list)} />
      </Suspense>
    </>
  );
}
