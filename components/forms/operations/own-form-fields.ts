import { AGENT_PART_FIELDS } from '@/components/graph/agent-parts';
import type { FieldSchema } from '../model/field-schema';

/** Fields with editors of their own: the body of a loop, and what the parts of an agent have in their panels. */
const SEPARATE_EDITORS = ['definition', 'tools', 'tool-approvals'];
const AGENT_PART_FIELD_NAMES: readonly string[] = Object.values(AGENT_PART_FIELDS).flat();

/** The fields that the form of a node shows. */
export const listOwnFormFields = (type: string, properties: NonNullable<FieldSchema['properties']>) =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, field]) =>
        !SEPARATE_EDITORS.includes(field['x-editor'] ?? '') &&
        !(type === 'agent' && AGENT_PART_FIELD_NAMES.includes(name)),
    ),
  );
