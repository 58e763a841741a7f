import { Text } from '@mantine/core';
import { JsonView } from '@/components/ui/values/JsonView';
import type { PreviewData } from '../preview-context';
import { lineAndColumnAt } from './text-position';
import { usePreviewResult } from './usePreviewResult';

/** The value of a text with the data of the last run; an error with its line and column. */
export function ExpressionResult({
  value,
  isBare,
  preview,
}: {
  value: string;
  isBare: boolean;
  preview: PreviewData | undefined;
}) {
  const outcome = usePreviewResult(value, isBare, preview);
  return (
    <section aria-label="Result" aria-live="polite">
      {value.trim() === '' ? (
        <Text size="sm" c="dimmed">
          Write an expression, or choose data and functions from the list.
        </Text>
      ) : outcome && 'problem' in outcome ? (
        <ExpressionProblemText text={value} {...outcome} />
      ) : outcome && 'laterFor' in outcome ? (
        <Text size="sm" c="dimmed">
          The run computes {outcome.laterFor}: there is no preview.
        </Text>
      ) : !preview?.hasData ? (
        <Text size="sm" c="dimmed">
          The result is shown here after the first run.
        </Text>
      ) : (
        outcome && <ExpressionValueView value={outcome.value} isPartial={preview.isPartial} />
      )}
    </section>
  );
}

function ExpressionProblemText({ text, problem, from }: { text: string; problem: string; from: number }) {
  const { line, column } = lineAndColumnAt(text, from);
  return (
    <Text size="sm" c="var(--weft-failed)">
      Line {line}, column {column}: {problem}
    </Text>
  );
}

function ExpressionValueView({ value, isPartial }: { value: unknown; isPartial: boolean }) {
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
