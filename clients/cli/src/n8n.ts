import type { Definition } from '@weft/client';
import { EXIT, Failure } from './failure.js';
import * as n8n from './generated/n8n.js';

/** What became of a node of n8n. */
interface ReportEntry {
  node: string;
  outcome: 'converted' | 'partly' | 'placeholder' | 'left out';
  message: string;
}

/** A workflow of n8n as one of Weft. */
export interface Imported {
  name: string;
  definition: Definition;
  settings: { timeZone?: string };
  triggers: { kind: 'webhook' | 'form' | 'chat' | 'schedule' | 'poll'; settings: object }[];
  report: ReportEntry[];
}

/** Whether a value looks like an export of n8n. */
export const isN8n = (value: unknown): boolean => n8n.isN8n(value);

/** Converts an export of n8n. */
export function importN8n(value: unknown, file: string): Imported {
  try {
    return n8n.importN8n(value) as Imported;
  } catch (error) {
    throw new Failure(`${file}: ${error instanceof Error ? error.message : 'it can not be imported'}`, EXIT.usage);
  }
}
