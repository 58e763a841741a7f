import { z } from 'zod';
import { isJavaScriptDialect, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { EvaluationFailedError, renderFields } from '@/server/evaluation/evaluator/evaluation';
import { createExpressionFailure } from '@/server/evaluation/evaluator/expression-failure';
import { readCachedText } from '@/server/evaluation/expressions/cached-texts';
import { FALL_BACK_TO_EVALUATOR } from '@/server/evaluation/expressions/fast-path';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { findScopeReferences } from '@/server/evaluation/expressions/references';
import { setField, type EvaluationScope, type PreludeFacts } from '@/server/evaluation/expressions/scope';
import {
  writeValueAsText,
  renderFieldFast,
  hasExpression,
  findPathProblem,
  type CachedTextParser,
} from '@/server/evaluation/expressions/template';
import { type NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import type { StoppableWork } from '../load/stop';

type ConfigFieldValues = Record<string, unknown>;
/** The usual scope of expressions, or that of a field with names of its own. */
type RenderScope = EvaluationScope | ConfigFieldValues;
const isEvaluationScope = (scope: RenderScope): scope is EvaluationScope => 'execution' in scope;

/** The node whose config is rendered, and the signal that stops it. */
export interface RenderContext {
  workspaceId: string;
  nodeId: string;
  language: ExpressionDialect;
  kind: Pick<NodeTypeDefinition, 'config' | 'expressions' | 'literals' | 'markup' | 'paths'>;
  /** The default zone of functions for dates. */
  timeZone: string;
  until?: StoppableWork;
}

/** Configs with more characters of JSON are rendered in evaluator processes only. */
const MAX_LOCAL_CONFIG = 64 * 1024;

const readNoText: CachedTextParser = () => undefined;

/** Cache by config: whether it is small. Configs of stored versions never change. */
const smallConfigCache = new WeakMap<ConfigFieldValues, boolean>();

function isRenderedLocally(config: ConfigFieldValues): boolean {
  let isSmallConfig = smallConfigCache.get(config);
  if (isSmallConfig === undefined)
    smallConfigCache.set(config, (isSmallConfig = JSON.stringify(config).length <= MAX_LOCAL_CONFIG));
  return isSmallConfig;
}

/**
 * Replaces every expression of a config by its value. A string that is a single expression becomes its value (as text
 * if the field accepts only text). A missing value omits the field; deeper inside it is null. In mixed text values
 * become text, objects JSON, and missing values the empty text. Values are data: they are never searched for
 * expressions. Values with more than 64 KiB of JSON are `LargeJson`.
 *
 * Synchronous if the fast path can evaluate all expressions; otherwise a promise, and evaluated in an evaluator
 * process. Throws NodeFailure: EXPRESSION, EVALUATION_TIMEOUT, EVALUATION_MEMORY, each with node, field, expression and
 * position.
 */
export function renderConfig(
  config: ConfigFieldValues,
  scope: RenderScope,
  context: RenderContext,
): ConfigFieldValues | Promise<ConfigFieldValues> {
  const { rendered, fallback } = renderLocally(config, scope, context);
  return fallback ? renderInEvaluator(rendered, fallback, scope, context) : rendered;
}

/** The fields that the fast path can compute; `fallback`: those that it cannot, as written. Throws NodeFailure. */
export function renderLocally(
  config: ConfigFieldValues,
  scope: RenderScope,
  context: RenderContext,
): { rendered: ConfigFieldValues; fallback: ConfigFieldValues | undefined } {
  const rendered: ConfigFieldValues = {};
  let fallback: ConfigFieldValues | undefined;
  const parser = isRenderedLocally(config) ? readCachedText : readNoText;
  for (const field of Object.keys(config)) {
    const source = config[field];
    const value = renderFieldFast(field, source, context, scope, parser);
    if (value === null && context.kind.paths?.includes(field))
      requireExistingPath(field, String(source), scope, context);
    if (value === FALL_BACK_TO_EVALUATOR) {
      setField((fallback ??= {}), field, source);
      // Reserves the position among the fields.
      setField(rendered, field, null);
    } else setRenderedField(rendered, field, source, value, context);
  }
  return { rendered, fallback };
}

const ANY_CONFIG_SCHEMA = z.looseObject({});

/** The values of expressions on a scope of their own, in place of the usual names. Like `renderConfig`. */
export const evaluateExpressions = (
  expressions: Record<string, string>,
  scope: ConfigFieldValues,
  context: Omit<RenderContext, 'kind'>,
): ConfigFieldValues | Promise<ConfigFieldValues> =>
  renderConfig(expressions, scope, {
    ...context,
    kind: { config: ANY_CONFIG_SCHEMA, expressions: Object.keys(expressions) },
  });

/** Throws NodeFailure if an expression is a path to nothing. */
function requireExistingPath(field: string, source: string, scope: RenderScope, context: RenderContext): void {
  const parsedText = readCachedText(source, 'bare', context.language);
  const problem = parsedText && findPathProblem(parsedText, scope);
  if (!problem) return;
  throw createExpressionFailure(
    new EvaluationFailedError({ code: 'EXPRESSION', message: problem.message, field, problem }),
    context.nodeId,
  );
}

/** Sets a field to the value of its expressions. One without a value is left out. */
export function setRenderedField(
  rendered: ConfigFieldValues,
  field: string,
  source: unknown,
  value: unknown,
  context: RenderContext,
): void {
  const { expressions, literals } = context.kind;
  const isText = hasExpression(source) && !expressions.includes(field) && !literals?.includes(field);
  const coerced = isText ? coerceFieldToText(field, value, context) : value;
  if (coerced !== null || source === null) setField(rendered, field, coerced);
  else delete rendered[field];
}

async function renderInEvaluator(
  rendered: ConfigFieldValues,
  fallback: ConfigFieldValues,
  scope: RenderScope,
  context: RenderContext,
): Promise<ConfigFieldValues> {
  const { workspaceId, until, kind, timeZone, language } = context;
  try {
    const values = await renderFields(fallback, pickReferencedScope(scope, fallback, language), kind, {
      language,
      workspaceId,
      signal: until?.signal,
      timeZone,
    });
    for (const [field, value] of Object.entries(values))
      setRenderedField(rendered, field, fallback[field], value, context);
    return rendered;
  } catch (error) {
    throw error instanceof EvaluationFailedError ? createExpressionFailure(error, context.nodeId) : error;
  }
}

/** The parts of the scope that the texts of fields reference: only these are sent to the evaluator. */
export function pickReferencedScope(
  scope: RenderScope,
  fields: ConfigFieldValues,
  language: ExpressionDialect,
): ConfigFieldValues {
  const references = findScopeReferences(fields, language);
  if (!isEvaluationScope(scope)) {
    const named = Object.entries(scope).filter(([name]) => references.name(name));
    // In JavaScript, a name without a value would be unknown.
    const isKept = isJavaScriptDialect(language);
    return Object.fromEntries(named.map(([name, value]) => [name, isKept ? (value ?? null) : value]));
  }
  const { input, nodes, execution, vars, cursor, item, index, items, paired, prelude } = scope;
  const nameOf = invertNames(prelude);
  const ofItem = Object.entries({ item, index, items, paired }).filter(
    ([name, value]) => value !== undefined && references.name(name),
  );
  const named: ConfigFieldValues = {};
  for (const [name, value] of Object.entries(nodes))
    if (references.node(name, nameOf.get(name))) setField(named, name, value);
  const known = Object.entries(vars).filter(([name]) => references.variable(name));
  return {
    ...(references.input ? { input: input ?? null } : {}),
    nodes: named,
    ...(references.variables ? { vars: Object.fromEntries(known) } : {}),
    ...(references.execution ? { execution } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    ...(prelude && { prelude }),
    ...Object.fromEntries(ofItem),
  };
}

const invertedNames = new WeakMap<object, ReadonlyMap<string, string>>();

/** The names of nodes by their ids. */
function invertNames(prelude: PreludeFacts | undefined): ReadonlyMap<string, string> {
  if (!prelude) return new Map();
  const known = invertedNames.get(prelude.names);
  if (known) return known;
  const inverted = new Map(Object.entries(prelude.names).map(([name, id]) => [id, name]));
  invertedNames.set(prelude.names, inverted);
  return inverted;
}

/** Converts a number or object to text if the field accepts only text. */
function coerceFieldToText(field: string, value: unknown, context: RenderContext): unknown {
  const schema = context.kind.config.shape[field];
  if (typeof value === 'string' || value === null || isLargeJson(value) || !schema) return value;
  const isFitting = z.safeParse(schema, value).success || !z.safeParse(schema, writeValueAsText(value)).success;
  return isFitting ? value : writeValueAsText(value);
}
