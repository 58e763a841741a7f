import { certainPiece, knownField, knownPiece, printOperandCode, unknownPiece, type CodePiece } from './conversion';
import { JSONATA_NAME, toJavascriptTree, type JavascriptConversion } from './javascript-conversion';
import type { JavascriptTree } from './javascript-syntax';

const RESERVED_WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** A field, an item of a list or the length of a value. */
export function convertJavascriptMember(converter: JavascriptConversion, tree: JavascriptTree): CodePiece {
  const object = converter.convert(toJavascriptTree(tree['object']));
  converter.position = tree.start;
  const property = toJavascriptTree(tree['property']);
  const isComputed = tree['computed'] === true;
  const step: unknown = isComputed ? property['value'] : property['name'];
  if (isComputed && property.type !== 'Literal') return lookUp(converter, object, converter.convert(property));
  if (typeof step === 'number') return convertIndex(converter, object, step);
  if (typeof step !== 'string') return converter.refuse('JSONata can’t write this name');
  const isNamedHere = knownField(object, step)?.value !== undefined;
  if (step === 'length' && !isNamedHere) return convertLength(converter, object);
  if (object.type === 'list') return converter.refuse('JSONata would read the field in each item of the list');
  if (object.type === 'text' || object.type === 'number' || object.type === 'boolean')
    return converter.refuse('JSONata reads fields of objects only');
  if (!object.known) converter.doubt('If the path leads through a list, JSONata reads each item');
  if (
    object.known &&
    (object.known.value === null || object.known.value === undefined) &&
    !tree['optional'] &&
    !object.code.includes('.')
  )
    converter.doubt('JavaScript fails where a value is missing');
  const name =
    JSONATA_NAME.test(step) && !RESERVED_WORDS.has(step)
      ? step
      : step.includes('`') || step === ''
        ? converter.refuse('JSONata can’t write this name')
        : `\`${step}\``;
  const known = knownField(object, step);
  const missing = object.known && (object.known.value === null || object.known.value === undefined);
  if (missing && !tree['optional']) converter.doubt('JavaScript fails where a value is missing');
  const code = `${printOperandCode(object)}.${name}`;
  return known ? knownPiece(code, known.value) : unknownPiece(code);
}

function convertIndex(converter: JavascriptConversion, object: CodePiece, index: number): CodePiece {
  if (!Number.isInteger(index) || index < 0) return converter.refuse('JSONata has no such index');
  if (object.type !== 'list') converter.doubt('What is no list counts as a list of one in JSONata');
  const known = knownField(object, index);
  const code = `${printOperandCode(object)}[${index}]`;
  return known ? knownPiece(code, known.value) : unknownPiece(code);
}

function convertLength(converter: JavascriptConversion, object: CodePiece): CodePiece {
  if (object.type === 'list') return certainPiece(`$count(${object.code})`, 'number');
  if (object.type !== 'text') return converter.refuse('Whether this is a text or a list is not known');
  const value = object.known?.value;
  if (typeof value !== 'string' || /[\ud800-\udfff]/.test(value))
    converter.doubt('JSONata counts an emoji as one letter');
  return unknownPiece(`$length(${object.code})`, true, 'number');
}

function lookUp(converter: JavascriptConversion, object: CodePiece, name: CodePiece): CodePiece {
  if (name.type !== 'text') return converter.refuse('JSONata can’t compute this name');
  if (object.type !== 'object') converter.doubt('Of a list, JSONata looks into each item');
  return unknownPiece(`$lookup(${object.code}, ${name.code})`);
}
