import type { Definition } from '@weft/client';
import { EXIT_CODES, CommandFailure } from './failure.js';
import * as n8n from './generated/n8n.js';

/** Tells how a node of n8n was converted. */
interface N8nImportNote {
  node: string;
  outcome: 'converted' | 'partly' | 'placeholder' | 'left out';
  message: string;
}

/** A workflow of n8n as one of Weft. */
export interface N8nImportResult {
  name: string;
  definition: Definition;
  settings: { timeZone?: string };
  triggers: { kind: 'webhook' | 'form' | 'chat' | 'schedule' | 'poll'; settings: object }[];
  report: N8nImportNote[];
}

/** Whether a value looks like an export of n8n. */
export const looksLikeN8nExport = (value: unknown): boolean => n8n.isN8n(value);

/** Converts an export of n8n. */
export function convertN8nExport(value: unknown, file: string): N8nImportResult {
  try {
    return n8n.importN8n(value) as N8nImportResult;
  } catch (error) {
    throw new CommandFailure(
      `${file}: ${error instanceof Error ? error.message : 'it can not be imported'}`,
      EXIT_CODES.usage,
    );
  }
}
