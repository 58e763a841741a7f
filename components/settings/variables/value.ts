import { parseExactJson } from '@/contract/exact-json';
/** A variable as the list shows it. */
export interface ShownVariable {
  name: string;
  value?: unknown;
  updatedAt: string;
}

export type ValueKind = 'text' | 'json';

/** A value as the form shows it. */
export const writtenValue = (value: unknown): { kind: ValueKind; text: string } =>
  typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'json', text: JSON.stringify(value, null, 2) };

/** The value that a text of the form stands for, or what is wrong with it. */
export function readValue(kind: ValueKind, text: string): { value: unknown; fault?: undefined } | { fault: string } {
  if (kind === 'text') return { value: text };
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
