import type { Workflow } from '@/contract/workflows/workflow';
import { withoutCredentials } from '@/components/graph/clip';

/** An exported workflow: what another installation needs, without credentials. */
export type Exchanged = Pick<Workflow, 'name' | 'description' | 'definition'>;

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

/** Parses an exported workflow; a bare definition is named after the file. Undefined: it is neither. */
export async function readExchanged(text: string, fileName: string): Promise<Exchanged | undefined> {
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
    return bare.success ? { name, description: '', definition: withoutCredentials(bare.data) } : undefined;
  } catch {
    return undefined;
  }
}
