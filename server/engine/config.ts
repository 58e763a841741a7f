import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { explain, fieldErrors } from '../api/zod-issues';
import type { NodeKind } from '../nodes/node';
import { bareProblem, isTemplate, sentence, textProblem, type TextProblem } from './template';

type Bag = Record<string, unknown>;

/** True when an expression stands at `path` or above it: what it comes to is seen only when it runs. */
function isOpen(config: Bag, path: readonly PropertyKey[]): boolean {
  let value: unknown = config;
  for (const key of path) {
    if (isTemplate(value)) return true;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return isTemplate(value);
}

const issueOf = (field: string, problem: TextProblem | null): FieldError[] =>
  problem ? [{ field, message: sentence(problem) }] : [];

function textIssues(value: unknown, at: string): FieldError[] {
  if (typeof value === 'string') return issueOf(at, textProblem(value));
  if (Array.isArray(value)) return value.flatMap((item, index) => textIssues(item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textIssues(inner, `${at}.${key}`));
}

function expressionIssues(kind: NodeKind, field: string, value: unknown, at: string): FieldError[] {
  if (kind.literals?.includes(field)) return [];
  if (!kind.expressions.includes(field)) return textIssues(value, at);
  if (typeof value !== 'string') return [{ field: at, message: 'must be an expression, written as text' }];
  // Empty is what a draft has before its author gets there.
  return value.trim() === '' ? [] : issueOf(at, bareProblem(value));
}

/**
 * What is wrong with a written config: fields unknown or of the wrong type, expressions that do not parse. Where an
 * expression stands, any type is fine, but for the names of ports. Missing fields are no issue.
 */
export function configIssues(kind: NodeKind, config: Bag, at: string): FieldError[] {
  const issues = kind.config.safeParse(config, { error: explain }).error?.issues ?? [];
  const closed = issues.filter(({ path }) => !isOpen(config, path));
  const ports = kind.dynamicOutputs?.ports(config).filter(isTemplate) ?? [];
  return [
    ...fieldErrors(new z.ZodError(closed), [at]),
    ...Object.entries(config).flatMap(([field, value]) => expressionIssues(kind, field, value, `${at}.${field}`)),
    ...ports.map((port) => ({
      field: `${at}.${kind.dynamicOutputs?.field}`,
      message: `a port has a plain name, not "${port}"`,
    })),
  ];
}
