import { definitionLanguage, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { ConversionData } from './conversion';
import { convertFieldText, type ConversionSight, type ConvertedText } from './convert-text';

type ConfigFields = Record<string, unknown>;

/** The schema of the config of a node type, by its name; undefined: it is not known. */
export type FindConfigSchema = (type: string) => ConfigFields | undefined;

/** The data that the expressions of a node see. `path`: the loops around it, from the outside in. */
export type FindNodeData = (path: readonly string[], nodeId: string) => ConversionData;

/** A field of a node, at any depth. */
export interface NodeFieldPlace {
  /** The loops around the node, from the outside in. */
  path: readonly string[];
  nodeId: string;
  /** The path in the node, such as `config.url`. */
  field: string;
}

/** A text that was converted. */
export interface FieldConversion extends NodeFieldPlace, ConvertedText {
  source: string;
  isBare: boolean;
}

/** A text that can’t be converted. */
export interface RefusedField extends NodeFieldPlace {
  source: string;
  reason: string;
}

export interface DefinitionConversion {
  definition: WorkflowDefinition;
  converted: FieldConversion[];
  refused: RefusedField[];
}

const isFields = (value: unknown): value is ConfigFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInnerDefinition = (value: unknown): value is WorkflowDefinition =>
  isFields(value) && Array.isArray(value['nodes']) && Array.isArray(value['connections']);

/** A node inside a config, such as a tool of an agent. */
const isInnerNode = (value: ConfigFields): value is ConfigFields & { type: string; config: ConfigFields } =>
  typeof value['type'] === 'string' && isFields(value['config']);

/** How a field of a config is read. `schema`: of a literal object whose fields may be expressions. */
type FieldReading =
  | { kind: 'expression' | 'template'; names: readonly string[] | undefined }
  | { kind: 'literal'; schema: ConfigFields };

function fieldReading(schema: ConfigFields | undefined, name: string): FieldReading {
  const properties = (schema?.['properties'] ?? {}) as Record<string, ConfigFields | undefined>;
  const field = properties[name] ?? {};
  const names = field['x-scope'] as readonly string[] | undefined;
  if (field['x-expression'] === true) return { kind: 'expression', names };
  const isLiteral = field['x-literal'] === true || field['x-editor'] === 'javascript';
  return isLiteral ? { kind: 'literal', schema: field } : { kind: 'template', names };
}

/** Walks through a definition and converts its texts. */
class DefinitionConverter {
  readonly converted: FieldConversion[] = [];
  readonly refused: RefusedField[] = [];

  constructor(
    private readonly to: ExpressionLanguage,
    private readonly findSchema: FindConfigSchema,
    private readonly findData: FindNodeData,
  ) {}

  convertNodes(nodes: readonly WorkflowNode[], path: readonly string[]): WorkflowNode[] {
    return nodes.map((node) => {
      const data = this.findData(path, node.id);
      const place = { path, nodeId: node.id, field: 'config' };
      // With `each`, expressions see one item of the data, which is not known here.
      const config = this.convertConfig(node.type, node.config, place, node.each ? undefined : data);
      const items = node.each?.items;
      if (!node.each || items === undefined || items.trim() === '') return { ...node, config };
      const at = { path, nodeId: node.id, field: 'each.items' };
      return { ...node, config, each: { ...node.each, items: this.convertText(items, true, at, { data }) } };
    });
  }

  private convertConfig(type: string, config: ConfigFields, place: NodeFieldPlace, data: ConversionData): ConfigFields {
    const schema = this.findSchema(type);
    const entries = Object.entries(config).map(([name, value]): [string, unknown] => {
      const at = { ...place, field: `${place.field}.${name}` };
      if (isInnerDefinition(value))
        return [name, { ...value, nodes: this.convertNodes(value.nodes, [...place.path, place.nodeId]) }];
      const reading = fieldReading(schema, name);
      if (reading.kind === 'literal')
        return [name, isFields(value) ? this.convertLiteralFields(value, reading.schema, at) : value];
      // Names of their own have no data here.
      const sight = reading.names ? { names: reading.names } : { data };
      const isBare = reading.kind === 'expression' && typeof value === 'string';
      return [name, isBare ? this.convertText(value, true, at, sight) : this.convertValue(value, at, sight)];
    });
    return Object.fromEntries(entries);
  }

  /** An object that is taken literally, except for the expressions that the node evaluates itself. */
  private convertLiteralFields(value: ConfigFields, schema: ConfigFields, place: NodeFieldPlace): ConfigFields {
    const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
      const reading = fieldReading(schema, name);
      if (reading.kind !== 'expression' || typeof inner !== 'string') return [name, inner];
      const at = { ...place, field: `${place.field}.${name}` };
      return [name, this.convertText(inner, true, at, { names: reading.names })];
    });
    return Object.fromEntries(entries);
  }

  private convertValue(value: unknown, place: NodeFieldPlace, sight: ConversionSight): unknown {
    if (typeof value === 'string') return value.includes('{{') ? this.convertText(value, false, place, sight) : value;
    if (Array.isArray(value))
      return value.map((item: unknown, index) =>
        this.convertValue(item, { ...place, field: `${place.field}[${index}]` }, sight),
      );
    if (!isFields(value)) return value;
    const { config, ...rest } = value;
    const inner = isInnerNode(value) && this.findSchema(value.type) !== undefined ? value : undefined;
    const entries = Object.entries(inner ? rest : value).map(([name, part]) => [
      name,
      this.convertValue(part, { ...place, field: `${place.field}.${name}` }, sight),
    ]);
    const converted = Object.fromEntries(entries) as ConfigFields;
    if (!inner) return converted;
    const at = { ...place, field: `${place.field}.config` };
    return { ...converted, config: this.convertConfig(inner.type, config as ConfigFields, at, undefined) };
  }

  private convertText(source: string, isBare: boolean, place: NodeFieldPlace, sight: ConversionSight): string {
    const found = convertFieldText(source, isBare, this.to, sight);
    if ('reason' in found) {
      this.refused.push({ ...place, source, reason: found.reason });
      return source;
    }
    this.converted.push({ ...place, ...found, source, isBare });
    return found.text;
  }
}

const findNoData: FindNodeData = () => undefined;

/** Converts all expressions of a definition, those of loops and tools too. What is refused stays as it was. */
export function convertDefinition(
  definition: WorkflowDefinition,
  to: ExpressionLanguage,
  findSchema: FindConfigSchema,
  findData: FindNodeData = findNoData,
): DefinitionConversion {
  if (definitionLanguage(definition) === to) return { definition, converted: [], refused: [] };
  const converter = new DefinitionConverter(to, findSchema, findData);
  const nodes = converter.convertNodes(definition.nodes, []);
  const { converted, refused } = converter;
  // Only JavaScript has a prelude.
  const { prelude: _, ...own } = definition;
  return { definition: { ...own, nodes, language: to }, converted, refused };
}

/** The definition with marks at fields that somebody has to look at. */
export function markUnreviewed(
  definition: WorkflowDefinition,
  fields: readonly (NodeFieldPlace & { source: string; reason: string })[],
  from: ExpressionLanguage,
  path: readonly string[] = [],
): WorkflowDefinition {
  const here = fields.filter((field) => field.path.join('/') === path.join('/'));
  const nodes = definition.nodes.map((node): WorkflowNode => {
    const own = here
      .filter(({ nodeId }) => nodeId === node.id)
      .map(({ field, source, reason }) => ({ field, source, reason: reason.slice(0, 500), language: from }));
    const inner = Object.entries(node.config).map(([name, value]): [string, unknown] => [
      name,
      isInnerDefinition(value) ? markUnreviewed(value, fields, from, [...path, node.id]) : value,
    ]);
    const marked = { ...node, config: Object.fromEntries(inner) };
    return own.length > 0 ? { ...marked, unreviewed: [...(node.unreviewed ?? []), ...own] } : marked;
  });
  return { ...definition, nodes };
}
