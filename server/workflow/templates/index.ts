import type { WorkflowTemplate, TemplateSummary } from '@/contract/workflows/template';
import type { TemplatePurpose } from '@/contract/workflows/template-purposes';
import { searchTemplates } from '@/contract/workflows/template-search';
import type { TemplateFile } from './template-file';

let loadedTemplates: Promise<readonly TemplateFile[]> | undefined;

/** Every template with its examples, in the order of `data/index.ts`. Throws if a file does not fit its schema. */
export function loadTemplateFiles(): Promise<readonly TemplateFile[]> {
  loadedTemplates ??= parseTemplateFiles();
  return loadedTemplates;
}

/** The files and their schema are loaded when they are first needed: a service starts without them. */
async function parseTemplateFiles(): Promise<readonly TemplateFile[]> {
  const [{ TEMPLATE_FILES: FILES }, { TemplateFile: schema }] = await Promise.all([
    import('./data'),
    import('./template-file'),
  ]);
  return FILES.map((file) => schema.parse(file));
}

/** A template without its examples; undefined: there is none with this id. */
export async function findTemplateById(id: string): Promise<WorkflowTemplate | undefined> {
  const file = (await loadTemplateFiles()).find((one) => one.id === id);
  if (!file) return undefined;
  const { examples: _, ...template } = file;
  return template;
}

/** The templates for a purpose that contain every word of a search. */
export async function findTemplates(search = '', purpose?: TemplatePurpose): Promise<TemplateSummary[]> {
  return searchTemplates(await loadTemplateFiles(), search, purpose).map(summarizeTemplate);
}

const summarizeTemplate = ({
  id,
  name,
  description,
  purpose,
  services,
  words,
  definition,
  triggers,
}: WorkflowTemplate): TemplateSummary => ({
  id,
  name,
  description,
  purpose,
  services,
  words,
  outline: {
    nodes: definition.nodes.map(({ id: nodeId, type, name: nodeName, position, config: { connectorId } }) => ({
      id: nodeId,
      type,
      position,
      ...(nodeName === undefined ? {} : { name: nodeName }),
      ...(typeof connectorId === 'string' ? { connectorId } : {}),
    })),
    connections: definition.connections,
    triggers: triggers.map(({ kind }) => kind),
  },
});
