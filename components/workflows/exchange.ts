import { parseExactJson } from '@/contract/exact-json';
import type { Workflow } from '@/contract/workflows/workflow';
import type { ImportedWorkflow } from '@/components/graph/n8n/convert';
import { withoutCredentials } from '@/components/graph/edits/clip';

/** An exported workflow: what another installation needs, without credentials. */
export type Exchanged = Pick<Workflow, 'name' | 'description' | 'definition'>;

/** A workflow from a file. */
export interface FromFile extends Exchanged {
  /** What became of the nodes and triggers, if the file is one of n8n. */
  n8n?: Pick<ImportedWorkflow, 'report' | 'triggers' | 'settings'>;
}

/** Downloads a workflow as a JSON file. */
export function exportWorkflow({
  name,
  description,
  definition,
}: Pick<Workflow, 'name' | 'description' | 'definition'>) {
  const text = JSON.stringify({ name, description, definition: withoutCredentials(definition) }, null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'workflow'}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Parses an exported workflow, of n8n also; a bare definition is named after the file. Undefined: it is none of them. Throws
 * N8nImportError for a file of n8n that is beyond the limits.
 */
export async function readExchanged(text: string, fileName: string): Promise<FromFile | undefined> {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  // Loaded on demand: only imports need the schemas.
  const { WorkflowFields } = await import('@/contract/workflows/workflow');
  const name = fileName.replace(/\.json$/i, '') || 'Imported';
  const whole = WorkflowFields.pick({ name: true, description: true, definition: true })
    .partial({ description: true })
    .strip()
    .safeParse(value);
  if (whole.success) {
    const { description = '', definition } = whole.data;
    return { name: whole.data.name, description, definition: withoutCredentials(definition) };
  }
  const bare = WorkflowFields.shape.definition.safeParse(value);
  if (bare.success) return { name, description: '', definition: withoutCredentials(bare.data) };
  return readN8n(value, name);
}

async function readN8n(value: unknown, name: string): Promise<FromFile | undefined> {
  const { isN8n } = await import('@/components/graph/n8n/file');
  if (!isN8n(value)) return undefined;
  const { importN8n } = await import('@/components/graph/n8n/convert');
  const { definition, report, triggers, settings, ...imported } = importN8n(value);
  return { name: imported.name || name, description: '', definition, n8n: { report, triggers, settings } };
}
