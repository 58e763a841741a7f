import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import {
  hasExpression,
  describeTextProblem,
  type TextSyntax,
  type ExpressionTextProblem,
} from '@/server/evaluation/expressions/template';

type ConfigObject = Record<string, unknown>;

/** Whether an expression stands at `path` or above it: its value is known only at run time. */
function isExpressionAt(config: ConfigObject, path: readonly PropertyKey[]): boolean {
  let value: unknown = config;
  for (const key of path) {
    if (hasExpression(value)) return true;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return hasExpression(value);
}

/** Checks texts and schemas; returns their issues. */
export interface ContentChecks {
  checkText(text: string, kind: TextSyntax): ExpressionTextProblem | null;
  checkSchema(schema: object): string | null;
}

const textProblemIssues = (field: string, problem: ExpressionTextProblem | null): FieldIssue[] =>
  problem ? [{ field, message: describeTextProblem(problem) }] : [];

function schemaIssue(field: string, schema: object, checks: ContentChecks): FieldIssue[] {
  const message = checks.checkSchema(schema);
  return message ? [{ field, message }] : [];
}

function templateIssues(value: unknown, at: string, checks: ContentChecks): FieldIssue[] {
  if (typeof value === 'string')
    return hasExpression(value) ? textProblemIssues(at, checks.checkText(value, 'template')) : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => templateIssues(item, `${at}[${index}]`, checks));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => templateIssues(inner, `${at}.${key}`, checks));
}

/** The issues of expressions inside a field that is otherwise taken literally. */
function ownExpressionIssues(
  kind: NodeTypeDefinition,
  field: string,
  value: unknown,
  at: string,
  checks: ContentChecks,
): FieldIssue[] {
  return Object.keys(kind.ownExpressions ?? {}).flatMap((path) => {
    const inner = path.startsWith(`${field}.`) ? path.slice(field.length + 1) : undefined;
    const text = inner && typeof value === 'object' && value !== null ? (value as ConfigObject)[inner] : undefined;
    return typeof text === 'string' && text.trim() !== ''
      ? textProblemIssues(`${at}.${inner}`, checks.checkText(text, 'bare'))
      : [];
  });
}

function fieldContentIssues(
  kind: NodeTypeDefinition,
  field: string,
  value: unknown,
  at: string,
  checks: ContentChecks,
): FieldIssue[] {
  if (kind.schemas?.includes(field) && typeof value === 'object' && value !== null) {
    return schemaIssue(at, value, checks);
  }
  const isExpression = kind.expressions.includes(field) || Object.hasOwn(kind.ownExpressions ?? {}, field);
  if (!isExpression && kind.literals?.includes(field)) return ownExpressionIssues(kind, field, value, at, checks);
  if (!isExpression) return templateIssues(value, at, checks);
  if (typeof value !== 'string') return [{ field: at, message: 'must be an expression, written as text' }];
  // Empty fields are fine in a draft.
  return value.trim() === '' ? [] : textProblemIssues(at, checks.checkText(value, 'bare'));
}

/**
 * The issues of a config as written: unknown fields, wrong types, invalid expressions. An expression may have any type,
 * except in port names. Missing fields are no issue.
 */
export function configIssues(
  kind: NodeTypeDefinition,
  config: ConfigObject,
  at: string,
  checks: ContentChecks,
): FieldIssue[] {
  const issues = kind.config.safeParse(config, { error: explainMissingValue }).error?.issues ?? [];
  // Fields that are taken literally have no expressions; the inner definition is checked apart.
  const isLiteral = (field: unknown) => field !== kind.inner && kind.literals?.some((one) => one === field);
  const closed = issues.filter(({ path }) => isLiteral(path[0]) || !isExpressionAt(config, path));
  const ports = kind.dynamicOutputs?.ports(config).filter(hasExpression) ?? [];
  return [
    ...toFieldErrors(new z.ZodError(closed), [at]),
    ...Object.entries(config).flatMap(([field, value]) =>
      fieldContentIssues(kind, field, value, `${at}.${field}`, checks),
    ),
    ...(kind.contents?.(config) ?? []).flatMap(({ field, ...content }) =>
      'text' in content
        ? textProblemIssues(`${at}.${field}`, checks.checkText(content.text, 'bare'))
        : schemaIssue(`${at}.${field}`, content.schema, checks),
    ),
    ...(kind.issues?.(config) ?? []).map(({ field, message }) => ({ field: `${at}.${field}`, message })),
    ...ports.map((port) => ({
      field: `${at}.${kind.dynamicOutputs?.field}`,
      message: `a port has a plain name, not "${port}"`,
    })),
  ];
}
