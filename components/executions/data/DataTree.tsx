import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { isFileValue } from '@/contract/file-value';
import { dragPath } from '@/components/ui/values/dragged-path';
import { writtenName } from '@/components/ui/values/path';
import { FileCard } from './FileCard';
import classes from './DataView.module.css';

/** Number of fields shown at first and added by “Show more”. */
const STEP = 100;
/** Longer texts are truncated. */
const MOST_TEXT = 300;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value as a tree. With `path`, each field can be dragged as the expression that reads it. */
export function DataTree({ value, path }: { value: unknown; path?: string }) {
  const [most, setMost] = useState(STEP);
  if (isFileValue(value)) return <FileCard file={value} />;
  if (!isBranch(value)) return <Leaf name="value" value={value} path={path} />;
  const entries = Object.entries(value);
  if (entries.length === 0)
    return <div className={classes.empty}>{Array.isArray(value) ? 'Empty list' : 'No fields'}</div>;
  return (
    <ul className={classes.tree}>
      {entries.slice(0, most).map(([name, inner]) => {
        const at = path === undefined ? undefined : stepTo(path, name, Array.isArray(value));
        return (
          <li key={name}>
            {isFileValue(inner) ? (
              <div className={classes.file} {...dragging(at)}>
                <b>{name}</b>
                <FileCard file={inner} />
              </div>
            ) : isBranch(inner) ? (
              <Branch name={name} value={inner} path={at} />
            ) : (
              <Leaf name={name} value={inner} path={at} />
            )}
          </li>
        );
      })}
      {entries.length > most && (
        <li>
          <UnstyledButton className={classes.more} onClick={() => setMost(most + STEP)}>
            Show more ({entries.length - most})
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}

function Branch({ name, value, path }: { name: string; value: object; path?: string }) {
  const [isOpen, setOpen] = useState(name.length < 30 && Object.keys(value).length <= 12);
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
        <span className={classes.kind}>{Array.isArray(value) ? `list of ${value.length}` : fieldsIn(value)}</span>
      </UnstyledButton>
      {isOpen && <DataTree value={value} path={path} />}
    </>
  );
}

function Leaf({ name, value, path }: { name: string; value: unknown; path?: string }) {
  const isLong = typeof value === 'string' && value.length > MOST_TEXT;
  const short = isLong ? `${value.slice(0, MOST_TEXT)}…` : value;
  return (
    <div className={classes.field} data-leaf {...dragging(path)}>
      <b>{name}</b>
      <span className={classes.value} title={String(short)}>
        {JSON.stringify(short)}
      </span>
    </div>
  );
}

const fieldsIn = (value: object) => {
  const { length } = Object.keys(value);
  return length === 1 ? '1 field' : `${length} fields`;
};

/** Appends one step to a JSONata path; undefined: JSONata has no way to write the name. */
function stepTo(path: string, name: string, isList: boolean): string | undefined {
  if (isList) return `${path}[${name}]`;
  const written = writtenName(name);
  return written && `${path}.${written}`;
}

const dragging = (path: string | undefined) =>
  path === undefined
    ? {}
    : {
        draggable: true,
        title: `Drag into a parameter: {{ ${path} }}`,
        onDragStart: (event: DragEvent) => dragPath(event.dataTransfer, path),
      };
