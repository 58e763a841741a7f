import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { readTypedParameter } from './typed-parameters';
import { parseXml, type XmlElement } from './xml-parser';

type Fields = Record<string, unknown>;

interface ReadingRules {
  attributeKey: string;
  textKey: string;
  mergesAttributes: boolean;
  ignoresAttributes: boolean;
  hasLists: boolean;
  hasRoot: boolean;
  trims: boolean;
  normalizes: boolean;
  lowersTags: boolean;
}

function readReadingRules(parameters: N8nParameters): ReadingRules {
  const option = <Value>(name: string, otherwise: Value) =>
    readTypedParameter(parameters, `options.${name}`, otherwise);
  return {
    attributeKey: option('attrkey', '$'),
    textKey: option('charkey', '_'),
    mergesAttributes: option('mergeAttrs', true),
    ignoresAttributes: option('ignoreAttrs', false),
    hasLists: option('explicitArray', false),
    hasRoot: option('explicitRoot', true),
    trims: option('trim', false),
    normalizes: option('normalize', false),
    lowersTags: option('normalizeTags', false),
  };
}

const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
const safeName = (name: string) => (RESERVED_NAMES.has(name) ? `sanitized_${name}` : name);

function addValue(target: Fields, name: string, value: unknown, hasLists: boolean): void {
  if (!Object.hasOwn(target, name)) target[name] = hasLists ? [value] : value;
  else if (Array.isArray(target[name])) target[name].push(value);
  else target[name] = [target[name], value];
}

/** An element as the library xml2js describes it. */
function describeElement(element: XmlElement, rules: ReadingRules): unknown {
  const made: Fields = {};
  if (!rules.ignoresAttributes)
    for (const [given, value] of element.attributes) {
      const name = safeName(given);
      if (rules.mergesAttributes) addValue(made, name, value, rules.hasLists);
      else made[rules.attributeKey] = { ...(made[rules.attributeKey] as Fields | undefined), [name]: value };
    }
  for (const child of element.children) {
    const name = safeName(rules.lowersTags ? child.name.toLowerCase() : child.name);
    addValue(made, name, describeElement(child, rules), rules.hasLists);
  }
  const isBlank = element.text.trim() === '';
  const trimmed = rules.trims || rules.normalizes ? element.text.trim() : element.text;
  const text = rules.normalizes ? trimmed.replace(/\s{2,}/g, ' ') : trimmed;
  if (Object.keys(made).length === 0) return isBlank ? '' : text;
  if (!isBlank) made[rules.textKey] = text;
  return made;
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;');
const escapeAttribute = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');

interface WritingRules {
  attributeKey: string;
  textKey: string;
  hasSections: boolean;
}

const writeText = (text: string, { hasSections }: WritingRules): string =>
  hasSections && /[&<>]/.test(text) ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : escapeText(text);

const NAME_START = String.raw`:A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`;
const NAME = new RegExp(String.raw`^[${NAME_START}][${NAME_START}\-.0-9\u00B7\u0300-\u036F\u203F\u2040]*$`, 'u');

/** Throws for what cannot be the name of an element or of an attribute. */
function requireXmlName(name: string): string {
  if (!NAME.test(name)) throw new Error(`Invalid character in name: ${name}`);
  return name;
}

/** The lines of an element of XML. */
function writeElement(given: string, value: unknown, depth: number, rules: WritingRules): string[] {
  const name = requireXmlName(given);
  const indent = '  '.repeat(depth);
  if (typeof value !== 'object' || value === null) {
    const text = value === null || value === undefined ? '' : String(value);
    return [text === '' ? `${indent}<${name}/>` : `${indent}<${name}>${writeText(text, rules)}</${name}>`];
  }
  const entries = Array.isArray(value)
    ? value.flatMap((one: unknown): [string, unknown][] =>
        typeof one === 'object' && one !== null ? Object.entries(one) : [[rules.textKey, one]],
      )
    : Object.entries(value as Fields);
  const attributes = entries
    .flatMap(([key, inner]) =>
      key === rules.attributeKey && typeof inner === 'object' ? Object.entries(inner ?? {}) : [],
    )
    .map(([key, inner]) => ` ${requireXmlName(key)}="${escapeAttribute(String(inner))}"`)
    .join('');
  const contents = entries.filter(([key]) => key !== rules.attributeKey);
  const texts = contents.filter(([key]) => key === rules.textKey);
  if (contents.length === 0) return [`${indent}<${name}${attributes}/>`];
  if (texts.length === contents.length) {
    const text = texts.map(([, one]) => writeText(String(one), rules)).join('');
    return [`${indent}<${name}${attributes}>${text}</${name}>`];
  }
  const lines = contents.flatMap(([key, inner]) => {
    if (key === rules.textKey) return [`${indent}  ${writeText(String(inner), rules)}`];
    const all: unknown[] = Array.isArray(inner) ? inner : [inner];
    return all.flatMap((one) => writeElement(key, one, depth + 1, rules));
  });
  return [`${indent}<${name}${attributes}>`, ...lines, `${indent}</${name}>`];
}

function writeXml(parameters: N8nParameters, json: Fields): string {
  const option = <Value>(name: string, otherwise: Value) =>
    readTypedParameter(parameters, `options.${name}`, otherwise);
  const rules: WritingRules = {
    attributeKey: option('attrkey', '$'),
    textKey: option('charkey', '_'),
    hasSections: option('cdata', false),
  };
  const rootName = option('rootName', '');
  const [only, ...others] = Object.keys(json);
  const isRoot = rootName === '' && only !== undefined && others.length === 0 && !Array.isArray(json[only]);
  const lines = isRoot ? writeElement(only, json[only], 0, rules) : writeElement(rootName || 'root', json, 0, rules);
  const head = option('headless', false) ? [] : ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'];
  return [...head, ...lines].join('\n');
}

function convertXml(parameters: N8nParameters, item: N8nItem): N8nItem {
  const name = readTypedParameter(parameters, 'dataPropertyName', 'data');
  if (readTypedParameter(parameters, 'mode', 'xmlToJson') === 'jsonToxml')
    return { json: { [name]: writeXml(parameters, item.json) } };
  const source = item.json[name];
  if (source === undefined) throw new Error(`Item has no JSON property called "${name}"`);
  const rules = readReadingRules(parameters);
  const root = parseXml(String(source));
  const described = describeElement(root, rules);
  const rootName = safeName(rules.lowersTags ? root.name.toLowerCase() : root.name);
  // An element with a text alone is that text, as the whole item.
  return { json: rules.hasRoot ? { [rootName]: described } : (described as Fields) };
}

/** The item that the node `xml` makes of an item. */
export function convertItemXml(parameters: N8nParameters, item: N8nItem): N8nItem | N8nItem[] {
  try {
    return convertXml(parameters, item);
  } catch (error) {
    // The import says so where the node goes on after an error.
    if (parameters['leavesFailuresOut'] === true) return [];
    throw error;
  }
}
