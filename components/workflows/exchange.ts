import { parseExactJson } from '@/contract/exact-json';
import type { WorkflowResponse } from '@/contract/workflows/workflow';
import type { N8nImportPlan } from '@/import/n8n/plan';
import { stripCredentials } from '@/components/graph/edits/clipboard';

/** An exported workflow: what another installation needs, without credentials. */
export type ExportedWorkflow = Pick<WorkflowResponse, 'name' | 'description' | 'definition'>;

/** A workflow from a file. */
export interface WorkflowFromFile extends ExportedWorkflow {
  /** What belongs to it, if the file is one of n8n. */
  n8n?: N8nImportPlan;
}

/** Downloads a workflow as a JSON file. */
export function exportWorkflow({
  name,
  description,
  definition,
}: Pick<WorkflowResponse, 'name' | 'description' | 'definition'>) {
  const text = JSON.stringify({ name, description, definition: stripCredentials(definition) }, null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'workflow'}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Parses an exported workflow, of n8n also; a bare definition is named after the file. Undefined: it is none of them.
 * Throws N8nImportError for a file of n8n that is beyond the limits.
 */
export async function parseWorkflowFile(text: string, fileName: string): Promise<WorkflowFromFile | undefined> {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  // The schemas are loaded on demand, because only imports need them.
  const { WritableWorkflowFields: WorkflowFields } = await import('@/contract/workflows/workflow');
  const name = fileName.replace(/\.json$/i, '') || 'Imported';
  const whole = WorkflowFields.pick({ name: true, description: true, definition: true })
    .partial({ description: true })
    .strip()
    .safeParse(value);
  if (whole.success) {
    const { description = '', definition } = whole.data;
    return { name: whole.data.name, description, definition: stripCredentials(definition) };
  }
  const bare = WorkflowFields.shape.definition.safeParse(value);
  if (bare.success) return { name, description: '', definition: stripCredentials(bare.data) };
  return convertN8nFile(value, name);
}

async function convertN8nFile(value: unknown, name: string): Promise<WorkflowFromFile | undefined> {
  const { isN8n } = await import('@/import/n8n/file');
  if (!isN8n(value)) return undefined;
  const { planN8nImport } = await import('@/import/n8n/plan');
  const n8n = planN8nImport(value);
  return { name: n8n.name || name, description: n8n.description, definition: n8n.definition, n8n };
}
