import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { isFileValue } from '@/contract/file-value';
import { isResponse, readingOrder } from '@/components/ui/values/reading-order';
import { FileCard } from './files/FileCard';
import classes from './DataView.module.css';
import { dragging } from './dragging';
import type { FieldSearch } from './field-search';
import { stepTo } from './table/table-data';

/** Number of fields shown at first and added by “Show more”. */
const STEP = 100;
/** Longer texts are truncated. */
const MOST_TEXT = 300;
/** A branch with more fields is closed at first. */
const MOST_OPEN = 12;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

interface Props {
  value: unknown;
  /** Path of the value in expressions; each field can then be dragged as the expression that reads it. */
  path?: string;
  /** Shows the fields that it finds, with those around them. Undefined: all. */
  search?: FieldSearch;
}

/** A value as a tree. */
export function DataTree({ value, path, search }: Props) {
  const [most, setMost] = useState(STEP);
  if (isFileValue(value)) return <FileCard file={value} />;
  if (!isBranch(value)) return <Leaf name="value" value={value} path={path} />;
  const isList = Array.isArray(value);
  const all = readingOrder(value);
  const entries = search ? all.filter(([name, inner]) => search.isShown(isList ? '' : name, inner)) : all;
  if (entries.length === 0) return <div className={classes.empty}>{search ? 'Nothing found' : emptyText(value)}</div>;
  return (
    <ul className={classes.tree}>
      {entries.slice(0, most).map(([name, inner]) => {
        const at = path === undefined ? undefined : stepTo(path, name, isList);
        return (
          <li key={name}>
            {isFileValue(inner) ? (
              <div className={classes.file} {...dragging(at)}>
                <b>{name}</b>
                <FileCard file={inner} />
              </div>
            ) : isBranch(inner) && Object.keys(inner).length > 0 ? (
              <Branch
                // A search opens what it finds.
                key={String(search !== undefined)}
                name={name}
                value={inner}
                path={at}
                isFolded={!search && name === 'headers' && isResponse(value)}
                search={search && !isList && search.isMatch(name, inner) ? undefined : search}
              />
            ) : (
              <Leaf name={name} value={inner} path={at} />
            )}
          </li>
        );
      })}
      {entries.length > most && (
        <li>
          <UnstyledButton className={classes.more} onClick={() => setMost(most + STEP)}>
            Show more ({(entries.length - most).toLocaleString('en')})
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}

interface BranchProps extends Props {
  name: string;
  value: object;
  isFolded: boolean;
}

function Branch({ name, value, path, search, isFolded }: BranchProps) {
  const [isOpen, setOpen] = useState(
    !isFolded && (search !== undefined || (name.length < 30 && Object.keys(value).length <= MOST_OPEN)),
  );
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <UnstyledButton
        className={classes.field}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        {...dragging(path)}
      >
        <Chevron size={13} aria-hidden /> <b>{name}</b>
        <span className={classes.kind}>
          {Array.isArray(value) ? `list of ${value.length.toLocaleString('en')}` : fieldsIn(value)}
        </span>
      </UnstyledButton>
      {isOpen && <DataTree value={value} path={path} search={search} />}
    </>
  );
}

function Leaf({ name, value, path }: { name: string; value: unknown; path?: string }) {
  const isLong = typeof value === 'string' && value.length > MOST_TEXT;
  const short = isLong ? `${value.slice(0, MOST_TEXT)}…` : value;
  return (
    <div className={classes.field} data-leaf {...dragging(path)}>
      <b>{name}</b>
      {isBranch(value) ? (
        <span className={classes.kind}>{emptyText(value)}</span>
      ) : (
        <span className={classes.value} data-type={value === null ? 'null' : typeof value} title={String(short)}>
          {JSON.stringify(short)}
        </span>
      )}
    </div>
  );
}

const emptyText = (value: object) => (Array.isArray(value) ? 'Empty list' : 'No fields');

const fieldsIn = (value: object) => {
  const { length } = Object.keys(value);
  return length === 1 ? '1 field' : `${length.toLocaleString('en')} fields`;
};
