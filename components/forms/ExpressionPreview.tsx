import { Text } from '@mantine/core';
import { use } from 'react';
import { FirstRows } from '@/components/ui/values/FirstRows';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import classes from './SchemaField.module.css';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { findMissingName, type MissingFieldName } from './model/missing-name';
import { PreviewDataContext, type PreviewData } from './preview-context';
import { usePreviewResult } from './large/usePreviewResult';

const MAX_PREVIEW_TEXT_LENGTH = 400;

interface Props {
  value: unknown;
  isBare: boolean;
  /** The field shows an error already. */
  isFaulty?: boolean;
}

/**
 * Shows the value of the expressions with the current data, or their error. It also names a missing field of the data.
 */
export function ExpressionPreview({ value, isBare, isFaulty = false }: Props) {
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const outcome = usePreviewResult(value, isBare, preview);
  if (!preview || !outcome) return null;
  const unpaired = findUnpairedNode(value, preview);
  if (unpaired !== undefined)
    return (
      <Text size="xs" mt={4} c="var(--weft-waiting)" aria-live="polite">
        paired.{unpaired} has no value. {preview.pairedEnd ?? OUTSIDE_EACH_TEXT}
      </Text>
    );
  if ('problem' in outcome)
    return isFaulty ? null : (
      <Text size="xs" mt={4} c="var(--weft-failed)" aria-live="polite">
        {outcome.problem}
      </Text>
    );
  if ('laterFor' in outcome)
    return (
      <Text size="xs" mt={4} c="dimmed" aria-live="polite">
        The run computes {outcome.laterFor}: there is no preview.
      </Text>
    );
  const example = exampleNote(value, preview);
  if (isBare && Array.isArray(outcome.value) && outcome.value.length > 0)
    return (
      <div className={classes.rows} aria-live="polite">
        <FirstRows rows={outcome.value} caption={example && 'An example of an item'} />
      </div>
    );
  const shown = outcome.value === undefined ? 'nothing' : JSON.stringify(outcome.value);
  const missing = findMisspeltName(value, isBare, preview, (outcome.value ?? undefined) === undefined, language);
  return (
    <div aria-live="polite">
      <Text
        size="xs"
        mt={4}
        c={missing ? 'var(--weft-waiting)' : 'var(--weft-done)'}
        ff="monospace"
        style={{ overflowWrap: 'anywhere' }}
      >
        = {shown.slice(0, MAX_PREVIEW_TEXT_LENGTH)}
        {shown.length > MAX_PREVIEW_TEXT_LENGTH && ' …'}
        {example && <span className={classes.aside}> · an example: {example}</span>}
        {preview.isPartial && <span className={classes.aside}> · some data is not loaded</span>}
      </Text>
      {missing && (
        <Text size="xs" c="var(--weft-waiting)">
          {missing.within} has no “{missing.name}” in this data.
          {missing.near && ` Did you mean “${missing.near}”?`}
        </Text>
      )}
    </div>
  );
}

const OUTSIDE_EACH_TEXT = 'Only nodes that run for each item know where an item came from.';

const PAIRED_NAME_PATTERN =
  /(?<![\w$.])paired\s*(?:\??\.)?\s*(?:([\p{L}_$][\p{L}\d_$]*)|\[?\s*"([^"]+)"|\[\s*'([^']+)'|`([^`]+)`)/gu;

/** The first node that a text reads of `paired`, to which no item leads. */
function findUnpairedNode(value: unknown, { scope: { paired }, hasData }: PreviewData): string | undefined {
  if (!hasData) return undefined;
  const texts = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return [...texts.matchAll(PAIRED_NAME_PATTERN)]
    .map(([, plain, quoted, single, ticked]) => plain ?? quoted ?? single ?? ticked ?? '')
    .find((id) => !Object.hasOwn(paired ?? {}, id));
}

/** Why the value is an example: what the expression reads has not run. */
function exampleNote(value: unknown, { expected, notes }: PreviewData): string | undefined {
  const text = JSON.stringify(value);
  const read = [...(expected ?? [])].find((root) =>
    root === 'input' ? /\binput\b/.test(text) : text.includes(root) || text.includes(`nodes.\`${root.slice(6)}\``),
  );
  return read && notes?.[read];
}

/** A name that is missing and similar to another. If the expression yields nothing, any missing name. */
function findMisspeltName(
  value: unknown,
  isBare: boolean,
  { scope, hasData, isPartial }: PreviewData,
  isNothing: boolean,
  language: ExpressionLanguage,
): MissingFieldName | undefined {
  if (typeof value !== 'string' || !hasData || isPartial) return undefined;
  const sources = isBare ? [value] : [...value.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, source = '']) => source);
  const found = sources.flatMap((source) => findMissingName(source, scope, language) ?? []);
  return found.find(({ near }) => near !== undefined) ?? (isNothing ? found[0] : undefined);
}
