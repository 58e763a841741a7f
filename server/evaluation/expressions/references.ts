import { isJavaScriptDialect, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { findJavaScriptTextReferences } from './javascript/text-references';
import type { ScopeReferences } from './scope-references';

/** `nodes` other than `nodes.name`, `nodes."name"`, `nodes['name']`: the name is known only at run time. */
const DYNAMIC_NODES = /\bnodes\b(?!\s*(\.\s*[\p{L}_"'`]|\[\s*["'`]))/u;

/** The same for `vars`. */
const DYNAMIC_VARIABLES = /\bvars\b(?!\s*(\.\s*[A-Z"'`]|\[\s*["'`]))/;

/**
 * Expressions that can read the whole scope: wildcards, the parent, `$` and `$$`; a call without arguments, or of a
 * function that uses its context for a missing argument; names written with escapes.
 */
const WHOLE_SCOPE_ACCESS = /[*%]|\$(?![\p{L}\d_])|\$[\p{L}_][\p{L}\d_]*\s*\(\s*\)|\$(?:each|sift|lookup)\b|\\u/u;

/** Comparing more than this many characters with names would take long. */
const MAX_COMPARED_CHARACTERS = 1_000_000;

/** The references in all texts of a value. */
export const findScopeReferences = (value: unknown, language: ExpressionDialect): ScopeReferences =>
  isJavaScriptDialect(language)
    ? findJavaScriptTextReferences(listNestedTexts(value), language)
    : findJsonataReferences(joinNestedTexts(value));

function findJsonataReferences(text: string): ScopeReferences {
  const hasEscapes = text.includes('\\u');
  const variables = /\bvars\b/.test(text) || hasEscapes;
  const namesAny = hasEscapes || DYNAMIC_VARIABLES.test(text) || text.length > MAX_COMPARED_CHARACTERS / 100;
  const variable = (name: string) => variables && (namesAny || text.includes(name));
  const timeZone = /\$(?:formatDate|parseDate|addTime|diffTime|startOf|endOf)\b|\bhelpers\b/.test(text);
  if (WHOLE_SCOPE_ACCESS.test(text)) {
    return { input: true, execution: true, variables, variable, timeZone, node: () => true, name: () => true };
  }
  const namesNodes = text.includes('nodes');
  const isDynamic = namesNodes && DYNAMIC_NODES.test(text);
  return {
    input: text.includes('input'),
    execution: text.includes('execution'),
    variables,
    variable,
    timeZone,
    name: (name) => text.includes(name),
    node: (id) => namesNodes && (isDynamic || text.length > MAX_COMPARED_CHARACTERS / 100 || text.includes(id)),
  };
}

/** All texts inside a value, one per line. */
export const joinNestedTexts = (value: unknown): string => listNestedTexts(value).join('\n');

function listNestedTexts(value: unknown): string[] {
  const texts: string[] = [];
  const collect = (inner: unknown) => {
    if (typeof inner === 'string') texts.push(inner);
    else if (typeof inner === 'object' && inner !== null) Object.values(inner).forEach(collect);
  };
  collect(value);
  return texts;
}
