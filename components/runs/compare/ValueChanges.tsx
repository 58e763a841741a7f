import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { printJsonataPath } from '@/components/ui/values/jsonata-path';
import classes from './ValueChanges.module.css';
import { findTextDifference } from './text-difference';
import { listValueChanges, type FieldPath, type ValueChange } from './value-changes';

interface Props {
  before: unknown;
  after: unknown;
  /** Labels of the two values, such as `Other run` and `This run`. */
  names: readonly [before: string, after: string];
  label: string;
}

/** Differences shown at first and added by “Show more”. */
const CHANGES_PER_PAGE = 50;
/** Longer values are truncated. */
const MAX_CHANGED_CHARACTERS = 400;

const CHANGE_KIND_LABELS: Record<ValueChange['kind'], string> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moved: 'moved',
};

/** The fields in which two values differ, side by side. Equal fields are not shown. */
export function ValueChanges({ before, after, names, label }: Props) {
  const { changes, isCut } = useMemo(() => listValueChanges(before, after), [before, after]);
  const [most, setMost] = useState(CHANGES_PER_PAGE);
  if (changes.length === 0) return <Text size="sm">Equal.</Text>;
  return (
    <>
      <div className={classes.scroller} tabIndex={0} role="region" aria-label={`Differences of ${label}`}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">{names[0]}</th>
              <th scope="col">{names[1]}</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, most).map((change) => (
              <ValueChangeRow key={`${change.kind} ${JSON.stringify(change.path)}`} change={change} />
            ))}
          </tbody>
        </table>
      </div>
      {changes.length > most && (
        <Button size="compact-xs" variant="light" mt={6} onClick={() => setMost(most + CHANGES_PER_PAGE)}>
          Show more ({changes.length - most})
        </Button>
      )}
      {isCut && (
        <Text size="xs" c="dimmed" mt={4}>
          There are more differences. The first {changes.length} are listed.
        </Text>
      )}
    </>
  );
}

function ValueChangeRow({ change }: { change: ValueChange }) {
  const { kind, path } = change;
  return (
    <tr data-kind={kind}>
      <th scope="row">
        <code>{changedFieldName(path)}</code>
        <span className={classes.kind}>{CHANGE_KIND_LABELS[kind]}</span>
      </th>
      <ChangedSides change={change} />
    </tr>
  );
}

function ChangedSides({ change }: { change: ValueChange }) {
  switch (change.kind) {
    case 'added':
      return (
        <>
          <td className={classes.none}>–</td>
          <td data-side="after">{truncatedJson(change.after)}</td>
        </>
      );
    case 'removed':
      return (
        <>
          <td data-side="before">{truncatedJson(change.before)}</td>
          <td className={classes.none}>–</td>
        </>
      );
    case 'moved':
      return (
        <>
          <td>position {change.from + 1}</td>
          <td>position {Number(change.path.at(-1)) + 1}</td>
        </>
      );
    case 'changed':
      return typeof change.before === 'string' && typeof change.after === 'string' ? (
        <ChangedTexts before={change.before} after={change.after} />
      ) : (
        <>
          <td data-side="before">{truncatedJson(change.before)}</td>
          <td data-side="after">{truncatedJson(change.after)}</td>
        </>
      );
  }
}

function ChangedTexts({ before, after }: { before: string; after: string }) {
  const { start, end, ...parts } = findTextDifference(before, after);
  return (
    <>
      <td data-side="before">
        {start}
        <mark>{truncateText(parts.before)}</mark>
        {end}
      </td>
      <td data-side="after">
        {start}
        <mark>{truncateText(parts.after)}</mark>
        {end}
      </td>
    </>
  );
}

const truncateText = (text: string) =>
  text.length > MAX_CHANGED_CHARACTERS ? `${text.slice(0, MAX_CHANGED_CHARACTERS)}…` : text;
const truncatedJson = (value: unknown) => truncateText(JSON.stringify(value) ?? 'nothing');
const changedFieldName = (path: FieldPath) =>
  path.length === 0 ? 'whole value' : (printJsonataPath(path) ?? path.join(' › '));
