import { Parser, type Node } from 'acorn';
import { cutWellFormed } from '../../file';
import { isReadableSource, splitText } from '../../items/parameter-source';

/** An argument of a tool. `type`: of JSON Schema; undefined: any. */
export interface ToolArgument {
  name: string;
  description: string;
  type: string | undefined;
  isRequired: boolean;
}

const ARGUMENT_TYPES = new Set(['string', 'number', 'boolean']);
const FROM_AI_NAMES = new Set(['$fromAI', '$fromAi', '$fromai']);
const MAX_ARGUMENTS = 100;

/** An argument in the expressions of a tool. */
export const argumentCode = (name: string): string => `$fromAI(${JSON.stringify(name)})`;

/** Whether models and schemas take this name of an argument. */
const isArgumentName = (name: string): boolean => /^[\w-]{1,64}$/.test(name) && name !== '__proto__';

interface CallNode {
  callee: { type: string; name?: string };
  arguments: { type: string; value?: unknown; expressions?: unknown[]; quasis?: { value: { cooked?: string } }[] }[];
}

/** A text that is written out; undefined: it is something else. */
const literalText = ({ type, value, expressions, quasis }: CallNode['arguments'][number]): string | undefined =>
  type === 'Literal' && typeof value === 'string'
    ? value
    : type === 'TemplateLiteral' && expressions?.length === 0
      ? quasis?.[0]?.value.cooked
      : undefined;

/** The calls of `$fromAI` in an expression. */
function listCalls(tree: unknown): CallNode[] {
  const found: CallNode[] = [];
  const open: unknown[] = [tree];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (Array.isArray(one)) open.push(...(one as unknown[]).filter(Boolean));
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    const { type, ...parts } = one as Node & Record<string, unknown>;
    if (type === 'CallExpression') {
      const call = one as unknown as CallNode;
      if (call.callee.type === 'Identifier' && FROM_AI_NAMES.has(call.callee.name ?? '')) found.push(call);
    }
    open.push(...Object.values(parts).filter((part) => typeof part === 'object' && part !== null));
  }
  return found;
}

function readSourceArguments(source: string): (ToolArgument | undefined)[] {
  if (!/\$fromai\b/i.test(source) || !isReadableSource(source)) return [];
  const tree = Parser.parseExpressionAt(`(\n${source}\n)`, 0, { ecmaVersion: 2023, sourceType: 'module' });
  return listCalls(tree).map(({ arguments: given }) => {
    const [name = '', description = '', type = 'string'] = given.map(literalText);
    if (!isArgumentName(name)) return undefined;
    const known = ARGUMENT_TYPES.has(type) ? type : undefined;
    return { name, description: description.trim(), type: known, isRequired: given.length < 4 };
  });
}

/**
 * What the expressions of parameters ask a model for by `$fromAI(key, description?, type?, default?)`. `hasOthers`: some
 * have no name that a model can be given.
 */
export function listModelArguments(parameters: unknown): { known: ToolArgument[]; hasOthers: boolean } {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one);
  };
  collect(parameters);
  const all = texts
    .filter((text) => text.startsWith('='))
    .flatMap((text) =>
      splitText(text).flatMap((piece) => ('source' in piece ? readSourceArguments(piece.source) : [])),
    );
  const known = all.flatMap((one) => one ?? []);
  return {
    known: [...new Map(known.map((one) => [one.name, one])).values()].slice(0, MAX_ARGUMENTS),
    hasOthers: known.length < all.length,
  };
}

/** The schema of the arguments of a tool; undefined: it has none. */
export function argumentSchema(given: readonly ToolArgument[]): Record<string, unknown> | undefined {
  const all = [...new Map(given.map((one) => [one.name, one])).values()];
  if (all.length === 0) return undefined;
  const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, type, description }) => [
        name,
        { ...(type ? { type } : {}), ...(description ? { description: cutWellFormed(description, 4000) } : {}) },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}
