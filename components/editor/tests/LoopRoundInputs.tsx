import { NumberInput } from '@mantine/core';
import { roundsInNodePath, setRoundInPath } from './model/test-nodes';

interface Props {
  /** The key of a node in the test. */
  path: string;
  /** The title of the node, for the labels. */
  title: string;
  /** An empty field stands for every round. */
  hasEvery: boolean;
  /** Whether the test has a key already. */
  isTaken(path: string): boolean;
  onChange(path: string): void;
}

/** The rounds of a node inside of loops, counted from 1. Nothing for other nodes. */
export function LoopRoundInputs({ path, title, hasEvery, isTaken, onChange }: Props) {
  return roundsInNodePath(path).map((round, place) => (
    <NumberInput
      key={place}
      size="xs"
      w={110}
      aria-label={`Round of ${title}`}
      placeholder={hasEvery ? 'Every round' : 'Round'}
      prefix="Round "
      min={1}
      max={1_000_000}
      allowDecimal={false}
      clampBehavior="strict"
      value={round === undefined ? '' : round + 1}
      onChange={(value) => {
        const number = value === '' ? undefined : Number(value) - 1;
        if (number === undefined ? !hasEvery : !Number.isInteger(number) || number < 0) return;
        const next = setRoundInPath(path, place, number);
        if (next !== path && !isTaken(next)) onChange(next);
      }}
    />
  ));
}
