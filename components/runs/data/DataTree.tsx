import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { isFileValue } from '@/contract/file-value';
import { isHttpResponseValue, entriesToRead } from '@/components/ui/values/reading-order';
import { FileCard } from './files/FileCard';
import classes from './DataView.module.css';
import { useDragPathProps } from './dragging';
import type { FieldSearch } from './field-search';
import { isLongText } from './long-text';
import { LongText } from './LongText';
import { appendPathStep } from './table/table-data';

/** Number of fields shown at first and added by “Show more”. */
const FIELDS_PER_PAGE = 100;
/** A branch with more fields is closed at first. */
const MAX_OPEN_FIELDS = 12;

const isBranchValue = (value: unknown): value is object => typeof value === 'object' && value !== null;

interface Props {
  value: unknown;
  /** Path of the value in expressions; each field can then be dragged as the expression that reads it. */
  path?: string;
  /** Limits the tree to the fields that the search finds and those around them. Undefined shows all. */
  search?: FieldSearch;
}

/** A value as a tree. */
export function DataTree({ value, path, search }: Props) {
  const dragPathProps = useDragPathProps();
  const [most, setMost] = useState(FIELDS_PER_PAGE);
  if (isFileValue(value)) return <FileCard file={value} />;
  if (!isBranchValue(value)) return <TreeLeaf name="value" value={value} path={path} />;
  const isList = Array.isArray(value);
  const all = entriesToRead(value);
  const entries = search ? all.filter(([name, inner]) => search.isShown(isList ? '' : name, inner)) : all;
  if (entries.length === 0)
    return <div className={classes.empty}>{search ? 'Nothing found' : emptyValueText(value)}</div>;
  return (
    <ul className={classes.tree}>
      {entries.slice(0, most).map(([name, inner]) => {
        const at = path === undefined ? undefined : appendPathStep(path, name, isList);
        return (
          <li key={name}>
            {isFileValue(inner) ? (
              <div className={classes.file} {...dragPathProps(at)}>
                <b>{name}</b>
                <FileCard file={inner} />
              </div>
            ) : isBranchValue(inner) && Object.keys(inner).length > 0 ? (
              <TreeBranch
                // A search opens the branches that it finds.
                key={String(search !== undefined)}
                name={name}
                value={inner}
                path={at}
                isFolded={!search && name === 'headers' && isHttpResponseValue(value)}
                search={search && !isList && search.isMatch(name, inner) ? undefined : search}
              />
            ) : (
              <TreeLeaf name={name} value={inner} path={at} />
            )}
          </li>
        );
      })}
      {entries.length > most && (
        <li>
          <UnstyledButton className={classes.more} onClick={() => setMost(most + FIELDS_PER_PAGE)}>
            Show more ({(entries.length - most).toLocaleString('en')})
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}

interface TreeBranchProps extends Props {
  name: string;
  value: object;
  isFolded: boolean;
}

function TreeBranch({ name, value, path, search, isFolded }: TreeBranchProps) {
  const dragPathProps = useDragPathProps();
  const [isOpen, setOpen] = useState(
    !isFolded && (search !== undefined || (name.length < 30 && Object.keys(value).length <= MAX_OPEN_FIELDS)),
  );
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <UnstyledButton
        className={classes.field}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        {...dragPathProps(path)}
      >
        <Chevron size={13} aria-hidden /> <b>{name}</b>
        <span className={classes.kind}>
          {Array.isArray(value) ? `list of ${value.length.toLocaleString('en')}` : fieldCountText(value)}
        </span>
      </UnstyledButton>
      {isOpen && <DataTree value={value} path={path} search={search} />}
    </>
  );
}

function TreeLeaf({ name, value, path }: { name: string; value: unknown; path?: string }) {
  const dragPathProps = useDragPathProps();
  if (typeof value === 'string' && isLongText(value))
    return (
      <div className={classes.field} data-leaf data-long {...dragPathProps(path)}>
        <b>{name}</b>
        <LongText name={name} text={value} />
      </div>
    );
  return (
    <div className={classes.field} data-leaf {...dragPathProps(path)}>
      <b>{name}</b>
      {isBranchValue(value) ? (
        <span className={classes.kind}>{emptyValueText(value)}</span>
      ) : (
        <span className={classes.value} data-type={value === null ? 'null' : typeof value} title={String(value)}>
          {JSON.stringify(value)}
        </span>
      )}
    </div>
  );
}

const emptyValueText = (value: object) => (Array.isArray(value) ? 'Empty list' : 'No fields');

const fieldCountText = (value: object) => {
  const { length } = Object.keys(value);
  return length === 1 ? '1 field' : `${length.toLocaleString('en')} fields`;
};
