import { Definition, type Workflow } from '@/contract/workflow';
import { z } from 'zod';

/** A workflow as a file: what another installation needs of it, without credentials. */
const Exchanged = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000).default(''),
  definition: Definition,
});
export type Exchanged = z.infer<typeof Exchanged>;

const withoutCredentials = (definition: Definition): Definition => ({
  ...definition,
  nodes: definition.nodes.map(({ credentialId: _, ...node }) => node),
});

/** Hands the browser a file to save. */
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

/** A workflow out of a file's text; a bare definition is called after the file. Undefined: it is neither. */
export function readExchanged(text: string, fileName: string): Exchanged | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const name = fileName.replace(/\.json$/i, '') || 'Imported';
    const whole = Exchanged.safeParse(value);
    const bare = Definition.safeParse(value);
    if (whole.success) return { ...whole.data, definition: withoutCredentials(whole.data.definition) };
    return bare.success ? { name, description: '', definition: withoutCredentials(bare.data) } : undefined;
  } catch {
    return undefined;
  }
}
