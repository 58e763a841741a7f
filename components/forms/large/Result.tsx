import { Text } from '@mantine/core';
import { JsonView } from '@/components/ui/values/JsonView';
import type { Preview } from '../preview';
import { positionIn } from './position';
import { useOutcome } from './useOutcome';

/** The value of a text with the data of the last run; an error with its line and column. */
export function Result({ value, isBare, preview }: { value: string; isBare: boolean; preview: Preview | undefined }) {
  const outcome = useOutcome(value, isBare, preview);
  return (
    <section aria-label="Result" aria-live="polite">
      {value.trim() === '' ? (
        <Text size="sm" c="dimmed">
          Write an expression, or choose data and functions from the list.
        </Text>
      ) : outcome && 'problem' in outcome ? (
        <Problem text={value} {...outcome} />
      ) : outcome && 'laterFor' in outcome ? (
        <Text size="sm" c="dimmed">
          The run computes {outcome.laterFor}: there is no preview.
        </Text>
      ) : !preview?.hasData ? (
        <Text size="sm" c="dimmed">
          The result is shown here after the first run.
        </Text>
      ) : (
        outcome && <Value value={outcome.value} isPartial={preview.isPartial} />
      )}
    </section>
  );
}

function Problem({ text, problem, from }: { text: string; problem: string; from: number }) {
  const { line, column } = positionIn(text, from);
  return (
    <Text size="sm" c="var(--weft-failed)">
      Line {line}, column {column}: {problem}
    </Text>
  );
}

function Value({ value, isPartial }: { value: unknown; isPartial: boolean }) {
  return (
    <>
      {value === undefined ? (
        <Text size="sm" c="dimmed">
          The expression yields nothing with the data of the last run.
        </Text>
      ) : (
        <JsonView label="Result" value={value} />
      )}
      {isPartial && (
        <Text size="xs" c="dimmed">
          Some data is not loaded.
        </Text>
      )}
    </>
  );
}
