import type { Workflow } from '@/contract/workflows/workflow';
import { withoutCredentials } from '@/components/graph/edits/clip';

/** An exported workflow: what another installation needs, without credentials. */
export type Exchanged = Pick<Workflow, 'name' | 'description' | 'definition'>;

/** A workflow from a file. */
export interface FromFile extends Exchanged {
  /** What did not fit, if the file is one of n8n. */
  n8nReport?: string[];
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

/** Parses an exported workflow, of n8n also; a bare definition is named after the file. Undefined: it is none of them. */
export async function readExchanged(text: string, fileName: string): Promise<FromFile | undefined> {
  try {
    // Loaded on demand: only imports need the schemas.
    const { WorkflowFields } = await import('@/contract/workflows/workflow');
    const value: unknown = JSON.parse(text);
    const name = fileName.replace(/\.json$/i, '') || 'Imported';
    const whole = WorkflowFields.pick({ name: true, description: true, definition: true })
      .partial({ description: true })
      .strip()
      .safeParse(value);
    const bare = WorkflowFields.shape.definition.safeParse(value);
    if (whole.success) {
      const { description = '', definition } = whole.data;
      return { name: whole.data.name, description, definition: withoutCredentials(definition) };
    }
    if (bare.success) return { name, description: '', definition: withoutCredentials(bare.data) };
    return await readN8n(value, name);
  } catch {
    return undefined;
  }
}

async function readN8n(value: unknown, name: string): Promise<FromFile | undefined> {
  const { n8nFile } = await import('./n8n/n8n-file');
  const file = n8nFile(value);
  if (!file) return undefined;
  const { convertN8n } = await import('./n8n/convert');
  const { definition, report } = convertN8n(file);
  return { name: file.name?.slice(0, 200) || name, description: '', definition, n8nReport: report };
}
