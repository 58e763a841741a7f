import { readCachedText } from '../cached-texts';
import type { ScopeReferences } from '../scope-references';
import { hasExpression, type ParsedFieldText } from '../template';
import type { JavaScriptReferences } from './references';

/** `nodes` other than `nodes.name`, `nodes?.name`, `nodes["name"]`: the name is known only at run time. */
const DYNAMIC_NODES = /\bnodes\b(?!\s*\??\.\s*[\p{L}_$]|\s*\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])/u;
/** The same for `vars`. */
const DYNAMIC_VARIABLES = /\bvars\b(?!\s*\??\.\s*[\p{L}_$]|\s*\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])/u;

/** Comparing more than this many characters with each name would take long. */
const MAX_COMPARED_CHARACTERS = 10_000;

/** What a text may read that was not parsed, by the names that occur in it. */
function findNamedInText(text: string): JavaScriptTextPart {
  const isAny = text.includes('\\') || text.length > MAX_COMPARED_CHARACTERS;
  const isNamed = (name: string) => isAny || text.includes(name);
  const readsAnyNode = isAny || DYNAMIC_NODES.test(text);
  const readsAnyVariable = isAny || DYNAMIC_VARIABLES.test(text);
  return {
    isNamed,
    isNode: (id) => readsAnyNode || (isNamed('nodes') && text.includes(id)),
    isVariable: (name) => readsAnyVariable || (isNamed('vars') && text.includes(name)),
    isFast: false,
  };
}

/** What one part of a text may read. */
interface JavaScriptTextPart {
  isNamed(name: string): boolean;
  isNode(id: string): boolean;
  isVariable(name: string): boolean;
  /** Whether it is evaluated without functions. */
  isFast: boolean;
}

const toParsedPart = ({ names, nodes, variables }: JavaScriptReferences, isFast: boolean): JavaScriptTextPart => ({
  isNamed: (name) => names.has(name),
  isNode: (id) => names.has('nodes') && (nodes === 'any' || nodes.has(id)),
  isVariable: (name) => names.has('vars') && (variables === 'any' || variables.has(name)),
  isFast,
});

const listParsedParts = (parsed: ParsedFieldText | undefined, withText: boolean): JavaScriptTextPart[] | undefined =>
  parsed && 'parts' in parsed
    ? parsed.parts.flatMap((part) => {
        if ('text' in part) return withText ? [findNamedInText(part.text)] : [];
        const { javascript, fastPath } = part.expression;
        return javascript ? [toParsedPart(javascript, fastPath !== undefined)] : [];
      })
    : undefined;

/** What a text may read as an expression, and as a text with expressions: which of them it is depends on its field. */
function listTextParts(text: string): JavaScriptTextPart[] {
  const bare = listParsedParts(readCachedText(text, 'bare', 'javascript'), false);
  if (!hasExpression(text)) return bare ?? [findNamedInText(text)];
  const template = listParsedParts(readCachedText(text, 'template', 'javascript'), bare === undefined);
  return template ? [...template, ...(bare ?? [])] : [findNamedInText(text)];
}

/** The parts of their scope that texts with JavaScript may read; a superset. */
export function findJavaScriptTextReferences(texts: readonly string[]): ScopeReferences {
  const parts = texts.flatMap(listTextParts);
  const isNamed = (name: string) => parts.some((part) => part.isNamed(name));
  return {
    input: isNamed('input'),
    execution: isNamed('execution'),
    variables: isNamed('vars'),
    variable: (name) => parts.some((part) => part.isVariable(name)),
    timeZone: parts.some(({ isFast }) => !isFast),
    name: isNamed,
    node: (id) => parts.some((part) => part.isNode(id)),
  };
}
