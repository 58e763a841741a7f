import { parseExactJson } from '@/contract/exact-json';
/** A variable as the list shows it. */
export interface VariableRow {
  name: string;
  value?: unknown;
  updatedAt: string;
}

export type VariableValueKind = 'text' | 'json';

/** A value as the form shows it. */
export const variableToText = (value: unknown): { kind: VariableValueKind; text: string } =>
  typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'json', text: JSON.stringify(value, null, 2) };

/** Parses a text of the form. Returns the value, or what is wrong with the text. */
export function parseVariableText(
  kind: VariableValueKind,
  text: string,
): { value: unknown; fault?: undefined } | { fault: string } {
  if (kind === 'text') return { value: text };
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
