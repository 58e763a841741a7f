import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import type { Db } from '@/server/db/client';
import { kindOf } from '@/server/nodes';
import { credentialIssues } from './credentials';

function readinessWithin({ nodes }: Definition, prefix: string): FieldError[] {
  const hasStart = nodes.some(({ type, disabled }) => kindOf(type)?.hasInput === false && !disabled);
  const issues = hasStart ? [] : [{ field: `${prefix}nodes`, message: 'a start node is needed' }];
  for (const [index, { type, config, disabled, credentialId }] of nodes.entries()) {
    const kind = kindOf(type);
    if (!kind || disabled) continue;
    const at = `${prefix}nodes[${index}].config.`;
    const missing = kind.required.filter(
      (field) => config[field] === undefined || config[field] === '' || config[field] === null,
    );
    issues.push(...missing.map((field) => ({ field: `${at}${field}`, message: 'is required' })));
    const gaps = kind.gaps?.(config, credentialId !== undefined) ?? [];
    issues.push(...gaps.map(({ field, message }) => ({ field: `${at}${field}`, message })));
    const inner = kind.inner && config[kind.inner];
    if (inner) issues.push(...readinessWithin(inner as Definition, `${at}${kind.inner}.`));
  }
  return issues;
}

/**
 * Missing parts of a definition for activation or a run: a start node (several are allowed: a run begins at each), required config.
 * Disabled nodes pass their input on and need nothing. The definition must have no definitionIssues.
 */
export const readinessIssues = (definition: Definition): FieldError[] => readinessWithin(definition, '');

/** All issues that prevent a run of a definition in a workspace, for any trigger. */
export const gapsOf = async (db: Db, workspaceId: string, definition: Definition): Promise<FieldError[]> => [
  ...readinessIssues(definition),
  ...(await credentialIssues(db, workspaceId, definition)),
];
