import type { FieldChoice } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

/** Lists what parameters may hold, as data: an operation that reads, and where its items have value, label and hint. */
export interface ConnectorChoiceSource {
  /** An operation of the same connector with `items`. */
  operation: string;
  /** Fixed parameters of that operation. Pages should have at most 100 items. */
  parameters?: Record<string, unknown>;
  /** Its other parameters, by the parameters beside the field on which the choices depend: `{base: 'base'}`. */
  parametersFrom?: Record<string, string>;
  /** Dotted paths in an item. Of several for the label the first with a text counts. */
  value: string;
  label: readonly string[];
  hint?: string;
  /** Items with a true value at this path are left out. */
  unless?: string;
  /** The parameter that takes the text that is searched. Absent: the service searches the labels itself. */
  search?: string;
}

const choiceText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** An item of a list as a choice; undefined: it has no value, or is left out. */
export function toConnectorChoice(source: ConnectorChoiceSource, item: unknown): FieldChoice | undefined {
  const value = getAtPath(item, source.value);
  const isValue = (typeof value === 'string' && value !== '') || typeof value === 'number';
  if (!isValue || (source.unless !== undefined && getAtPath(item, source.unless) === true)) return undefined;
  const label = source.label.map((path) => choiceText(getAtPath(item, path))).find((text) => text.trim() !== '');
  const hint = source.hint === undefined ? '' : choiceText(getAtPath(item, source.hint));
  return { value, label: label ?? String(value), ...(hint === '' || hint === label ? {} : { hint }) };
}
