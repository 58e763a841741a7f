import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { writePath } from '@/components/ui/values/path';
import classes from './ValueChanges.module.css';
import { textDifference } from './text-difference';
import { changesOf, type Steps, type ValueChange } from './value-changes';

interface Props {
  before: unknown;
  after: unknown;
  /** What the two values are called: `Other run`, `This run`. */
  names: readonly [before: string, after: string];
  label: string;
}

/** Differences shown at first and added by “Show more”. */
const STEP = 50;
/** Longer values are truncated. */
const MOST_TEXT = 400;

const WORDS: Record<ValueChange['kind'], string> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moved: 'moved',
};

/** The fields in which two values differ, side by side. Equal fields are not shown. */
export function ValueChanges({ before, after, names, label }: Props) {
  const { changes, isCut } = useMemo(() => changesOf(before, after), [before, after]);
  const [most, setMost] = useState(STEP);
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
              <Change key={`${change.kind} ${JSON.stringify(change.path)}`} change={change} />
            ))}
          </tbody>
        </table>
      </div>
      {changes.length > most && (
        <Button size="compact-xs" variant="light" mt={6} onClick={() => setMost(most + STEP)}>
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

function Change({ change }: { change: ValueChange }) {
  const { kind, path } = change;
  return (
    <tr data-kind={kind}>
      <th scope="row">
        <code>{nameOf(path)}</code>
        <span className={classes.kind}>{WORDS[kind]}</span>
      </th>
      <Sides change={change} />
    </tr>
  );
}

function Sides({ change }: { change: ValueChange }) {
  switch (change.kind) {
    case 'added':
      return (
        <>
          <td className={classes.none}>–</td>
          <td data-side="after">{written(change.after)}</td>
        </>
      );
    case 'removed':
      return (
        <>
          <td data-side="before">{written(change.before)}</td>
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
        <Texts before={change.before} after={change.after} />
      ) : (
        <>
          <td data-side="before">{written(change.before)}</td>
          <td data-side="after">{written(change.after)}</td>
        </>
      );
  }
}

function Texts({ before, after }: { before: string; after: string }) {
  const { start, end, ...parts } = textDifference(before, after);
  return (
    <>
      <td data-side="before">
        {start}
        <mark>{short(parts.before)}</mark>
        {end}
      </td>
      <td data-side="after">
        {start}
        <mark>{short(parts.after)}</mark>
        {end}
      </td>
    </>
  );
}

const short = (text: string) => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);
const written = (value: unknown) => short(JSON.stringify(value) ?? 'nothing');
const nameOf = (path: Steps) => (path.length === 0 ? 'whole value' : (writePath(path) ?? path.join(' › ')));
