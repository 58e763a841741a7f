import { z } from 'zod';
import { EvaluationFailed, renderFields } from '@/server/evaluation/evaluation';
import { FALL_BACK } from '@/server/expressions/fast-path';
import { isLarge } from '@/server/expressions/large-json';
import { referencesIn, textsIn } from '@/server/expressions/references';
import { put, type Scope } from '@/server/expressions/scope';
import {
  asText,
  fieldAtOnce,
  isTemplate,
  parseText,
  pathProblem,
  sentence,
  type ParsedText,
  type ReadText,
} from '@/server/expressions/template';
import { type NodeKind } from '@/server/nodes/node';
import { Cache } from '@/server/cache';
import type { Stoppable } from '../load/stop';
import { NodeFailure } from '@/server/errors/node-failure';

type Fields = Record<string, unknown>;
/** The usual scope of expressions, or that of a field with names of its own. */
type AnyScope = Scope | Fields;
const isUsual = (scope: AnyScope): scope is Scope => 'execution' in scope;

/** The node whose config is rendered, and the signal that stops it. */
export interface RenderContext {
  workspaceId: string;
  nodeId: string;
  kind: Pick<NodeKind, 'config' | 'expressions' | 'literals' | 'markup' | 'paths'>;
  /** The default zone of functions for dates. */
  timeZone: string;
  until?: Stoppable;
}

/** Longer texts are parsed in evaluator processes only. */
const MAX_PARSED_LOCALLY = 512;
/** Configs with more characters of JSON are rendered in evaluator processes only. */
const MAX_CONFIG = 64 * 1024;

const parsed = { template: new Cache<string, ParsedText>(2000), bare: new Cache<string, ParsedText>(2000) };
const readCached: ReadText = (text, kind) =>
  text.length > MAX_PARSED_LOCALLY ? undefined : parsed[kind].get(text, () => parseText(text, kind));
const readNothing: ReadText = () => undefined;

/** Cache by config: whether it is small. Configs of stored versions never change. */
const smallConfigs = new WeakMap<Fields, boolean>();

function isSmall(config: Fields): boolean {
  let isSmallConfig = smallConfigs.get(config);
  if (isSmallConfig === undefined)
    smallConfigs.set(config, (isSmallConfig = JSON.stringify(config).length <= MAX_CONFIG));
  return isSmallConfig;
}

/**
 * Replaces every expression of a config by its value. A string that is a single expression becomes its value (as text if
 * the field accepts only text). A missing value omits the field; deeper inside it is null. In mixed text values become
 * text, objects JSON, and missing values the empty text. Values are data: they are never searched for expressions.
 * Values with more than 64 KiB of JSON are `LargeJson`.
 *
 * Synchronous if the fast path can evaluate all expressions; otherwise a promise, and evaluated in an evaluator process.
 * Throws NodeFailure: EXPRESSION, EVALUATION_TIMEOUT, EVALUATION_MEMORY, each with node, field, expression and position.
 */
export function render(config: Fields, scope: AnyScope, context: RenderContext): Fields | Promise<Fields> {
  const rendered: Fields = {};
  const fallback: Fields = {};
  let isComplete = true;
  const parser = isSmall(config) ? readCached : readNothing;
  for (const field of Object.keys(config)) {
    const source = config[field];
    const value = fieldAtOnce(field, source, context.kind, scope, parser);
    if (value === null && context.kind.paths?.includes(field)) requirePath(field, String(source), scope, context);
    if (value === FALL_BACK) {
      put(fallback, field, source);
      // Reserves the position among the fields.
      put(rendered, field, null);
      isComplete = false;
    } else setRendered(rendered, field, source, value, context);
  }
  return isComplete ? rendered : renderRest(rendered, fallback, scope, context);
}

const ANY = z.looseObject({});

/** The values of expressions on a scope of their own, in place of the usual names. Like `render`. */
export const evaluateOwn = (
  expressions: Record<string, string>,
  scope: Fields,
  context: Omit<RenderContext, 'kind'>,
): Fields | Promise<Fields> =>
  render(expressions, scope, { ...context, kind: { config: ANY, expressions: Object.keys(expressions) } });

/** Throws NodeFailure if an expression is a path to nothing. */
function requirePath(field: string, source: string, scope: AnyScope, context: RenderContext): void {
  const parsedText = readCached(source, 'bare');
  const problem = parsedText && pathProblem(parsedText, scope);
  if (!problem) return;
  throw failureOf(new EvaluationFailed({ code: 'EXPRESSION', message: problem.message, field, problem }), context);
}

function setRendered(rendered: Fields, field: string, source: unknown, value: unknown, context: RenderContext): void {
  const { expressions, literals } = context.kind;
  const isText = isTemplate(source) && !expressions.includes(field) && !literals?.includes(field);
  const coerced = isText ? coerceToText(field, value, context) : value;
  if (coerced !== null || source === null) put(rendered, field, coerced);
  else delete rendered[field];
}

async function renderRest(
  rendered: Fields,
  fallback: Fields,
  scope: AnyScope,
  context: RenderContext,
): Promise<Fields> {
  const { workspaceId, until, kind, timeZone } = context;
  try {
    const values = await renderFields(fallback, referencedScope(scope, textsIn(fallback)), kind, {
      workspaceId,
      signal: until?.signal,
      timeZone,
    });
    for (const [field, value] of Object.entries(values)) setRendered(rendered, field, fallback[field], value, context);
    return rendered;
  } catch (error) {
    throw error instanceof EvaluationFailed ? failureOf(error, context) : error;
  }
}

/** The parts of the scope that a text references: only these are sent to the evaluator. */
function referencedScope(scope: AnyScope, text: string): Fields {
  const references = referencesIn(text);
  if (!isUsual(scope)) return Object.fromEntries(Object.entries(scope).filter(([name]) => references.name(name)));
  const { input, nodes, execution, vars, cursor } = scope;
  const named: Fields = {};
  for (const [name, value] of Object.entries(nodes)) if (references.node(name)) put(named, name, value);
  const known = Object.entries(vars).filter(([name]) => references.variable(name));
  return {
    ...(references.input ? { input } : {}),
    nodes: named,
    ...(references.variables ? { vars: Object.fromEntries(known) } : {}),
    ...(references.execution ? { execution } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

const MAX_SOURCE = 4000;

function failureOf({ failure }: EvaluationFailed, { nodeId }: RenderContext): NodeFailure {
  const { code, field, problem, message } = failure;
  if (!field || !problem) return new NodeFailure(code, message, false);
  const { source, position } = problem;
  const expression = { field: `config.${field}`, source: source.slice(0, MAX_SOURCE), position };
  const description = code === 'EXPRESSION' ? sentence(problem) : `${message} in "${source.trim().slice(0, 80)}"`;
  return new NodeFailure(code, `Node ${nodeId}, config.${field}: ${description}`, false, 0, { expression });
}

/** Converts a number or object to text if the field accepts only text. */
function coerceToText(field: string, value: unknown, context: RenderContext): unknown {
  const schema = context.kind.config.shape[field];
  if (typeof value === 'string' || value === null || isLarge(value) || !schema) return value;
  const isFitting = z.safeParse(schema, value).success || !z.safeParse(schema, asText(value)).success;
  return isFitting ? value : asText(value);
}
