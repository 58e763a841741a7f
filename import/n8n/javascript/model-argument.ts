import type { ToolArgument } from './scope';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';

const ARGUMENT_TYPES: Readonly<Record<string, string | undefined>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

/** What `$fromAI(key, description?, type?, default?)` asks a model for. */
export function readModelArgument(parameters: readonly ExpressionSyntax[]): ToolArgument {
  const [name = '', description = '', type = 'string'] = parameters.map(literalText);
  if (!/^[\w-]{1,64}$/.test(name) || name === '__proto__') throw new UnsupportedSyntaxError('`$fromAI` without a name');
  const known = Object.hasOwn(ARGUMENT_TYPES, type) ? ARGUMENT_TYPES[type] : undefined;
  return { name, description: description.trim(), type: known, isRequired: parameters.length < 4 };
}

/** A text that is written out; undefined: it is something else. */
export function literalText(syntax: ExpressionSyntax): string | undefined {
  if (syntax.kind === 'literal') return typeof syntax.value === 'string' ? syntax.value : undefined;
  if (syntax.kind !== 'text') return undefined;
  return syntax.parts.every((each) => typeof each === 'string') ? syntax.parts.join('') : undefined;
}
