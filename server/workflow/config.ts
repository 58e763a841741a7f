import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import type { NodeKind } from '@/server/nodes/node';
import { isTemplate, sentence, type TextKind, type TextProblem } from '@/server/expressions/template';

type Bag = Record<string, unknown>;

/** Whether an expression stands at `path` or above it: its value is known only at run time. */
function isOpen(config: Bag, path: readonly PropertyKey[]): boolean {
  let value: unknown = config;
  for (const key of path) {
    if (isTemplate(value)) return true;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return isTemplate(value);
}

/** Checks texts and schemas; returns their issues. */
export interface ContentChecks {
  text(text: string, kind: TextKind): TextProblem | null;
  schema(schema: object): string | null;
}

const issueOf = (field: string, problem: TextProblem | null): FieldError[] =>
  problem ? [{ field, message: sentence(problem) }] : [];

function schemaIssue(field: string, schema: object, checks: ContentChecks): FieldError[] {
  const message = checks.schema(schema);
  return message ? [{ field, message }] : [];
}

function textIssues(value: unknown, at: string, checks: ContentChecks): FieldError[] {
  if (typeof value === 'string') return isTemplate(value) ? issueOf(at, checks.text(value, 'template')) : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textIssues(item, `${at}[${index}]`, checks));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textIssues(inner, `${at}.${key}`, checks));
}

/** The issues of expressions inside a field that is otherwise taken literally. */
function ownIssues(kind: NodeKind, field: string, value: unknown, at: string, checks: ContentChecks): FieldError[] {
  return Object.keys(kind.ownExpressions ?? {}).flatMap((path) => {
    const inner = path.startsWith(`${field}.`) ? path.slice(field.length + 1) : undefined;
    const text = inner && typeof value === 'object' && value !== null ? (value as Bag)[inner] : undefined;
    return typeof text === 'string' && text.trim() !== '' ? issueOf(`${at}.${inner}`, checks.text(text, 'bare')) : [];
  });
}

function contentIssues(kind: NodeKind, field: string, value: unknown, at: string, checks: ContentChecks): FieldError[] {
  if (kind.schemas?.includes(field) && typeof value === 'object' && value !== null) {
    return schemaIssue(at, value, checks);
  }
  const isExpression =
    kind.expressions.includes(field) ||
    kind.itemExpressions?.includes(field) ||
    Object.hasOwn(kind.ownExpressions ?? {}, field);
  if (!isExpression && kind.literals?.includes(field)) return ownIssues(kind, field, value, at, checks);
  if (!isExpression) return textIssues(value, at, checks);
  if (typeof value !== 'string') return [{ field: at, message: 'must be an expression, written as text' }];
  // Empty fields are fine in a draft.
  return value.trim() === '' ? [] : issueOf(at, checks.text(value, 'bare'));
}

/**
 * The issues of a config as written: unknown fields, wrong types, invalid expressions. An expression may have any type, except in port
 * names. Missing fields are no issue.
 */
export function configIssues(kind: NodeKind, config: Bag, at: string, checks: ContentChecks): FieldError[] {
  const issues = kind.config.safeParse(config, { error: explain }).error?.issues ?? [];
  // Fields that are taken literally have no expressions; the inner definition is checked apart.
  const isLiteral = (field: unknown) => field !== kind.inner && kind.literals?.some((one) => one === field);
  const closed = issues.filter(({ path }) => isLiteral(path[0]) || !isOpen(config, path));
  const ports = kind.dynamicOutputs?.ports(config).filter(isTemplate) ?? [];
  return [
    ...fieldErrors(new z.ZodError(closed), [at]),
    ...Object.entries(config).flatMap(([field, value]) => contentIssues(kind, field, value, `${at}.${field}`, checks)),
    ...(kind.contents?.(config) ?? []).flatMap(({ field, ...content }) =>
      'text' in content
        ? issueOf(`${at}.${field}`, checks.text(content.text, 'bare'))
        : schemaIssue(`${at}.${field}`, content.schema, checks),
    ),
    ...(kind.issues?.(config) ?? []).map(({ field, message }) => ({ field: `${at}.${field}`, message })),
    ...ports.map((port) => ({
      field: `${at}.${kind.dynamicOutputs?.field}`,
      message: `a port has a plain name, not "${port}"`,
    })),
  ];
}
