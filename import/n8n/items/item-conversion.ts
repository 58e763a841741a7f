import type { NodeConnection, WorkflowNode } from '@/contract/workflows/workflow';
import { OUTPUT_TASK, type ConversionContext, type ConversionStatus } from '../conversion';
import { cutWellFormed, type N8nNode } from '../file';
import type { NodeLink } from '../node-links';
import { RemarkList } from '../remarks';
import type { ItemArrival } from './arrivals/arrivals';
import { shortNodeType } from '../starts/convert-trigger';
import { writeConfigText, writeConfigValue, writeParameter, writeParameterSource } from './parameter-source';
import { connectNodes } from './connect-nodes';
import { listMissingNames } from './missing-names';

/** The nodes that replace one node of n8n. Each output delivers a list of items. */
export interface ItemNodes {
  nodes: WorkflowNode[];
  connections: NodeConnection[];
  /** The ids of the nodes that each input leads to. One alone stands for further inputs. */
  entries: string[];
  /** The ports of each output, in n8n's order. */
  outputs: { node: string; port: string }[][];
  /** Of a circle: the node that repeats, and the node at which its rounds end for each output. */
  rounds?: { loop: string; ends: string[] };
}

/** One level of a workflow: its own, or the body of a loop. */
export interface ItemLevel {
  ids: readonly string[];
  links: readonly NodeLink[];
  /** Nodes that exist already, by their ids. */
  given: ReadonlyMap<string, ItemNodes>;
  /** What comes to the nodes at which it begins. */
  roots: ReadonlyMap<string, ItemArrival>;
}

/** The type and config of a node of Weft. */
interface NodeSketch {
  type: string;
  config: Record<string, unknown>;
}

const NO_PARTS: ConversionContext = {
  attachedParts: () => [],
  reportPart: () => undefined,
  workflows: new Map(),
  hasFollowers: () => true,
  isNamedElsewhere: () => true,
};

/** Where a node runs for the first item alone. */
const FIRST_ITEM = '[input].flat().slice(0, 1)';
/** What a node that runs once reads of the items beside the first. */
const READS_ALL_ITEMS = /\$input\s*\.\s*(?:all|last)\b|\$items\(\s*\)/;
/** What is known of an item alone: the item that comes in as it is, and those that it came from. */
const READS_OTHER_ITEM = /(?<![$.\w])input\b|\.(?:item|itemMatching|pairedItem)\b/;
/** Types whose items with errors have nothing of the items that came in. */
const ERRORS_ALONE = new Set(['dateTime']);
const ERROR_NODE_GAP = { x: 160, y: 160 };

/** The characters that Weft takes as one expression. */
const MAX_EXPRESSION = 65_536;

/** Whether a node has an expression that no workflow may have. */
export const hasLongExpression = ({ nodes }: ItemNodes): boolean =>
  nodes.some(({ config: { expression } }) => typeof expression === 'string' && expression.length > MAX_EXPRESSION);

/** Converts one node of n8n, and collects the remarks for its entry in the report. */
export class ItemConversion {
  outcome: ConversionStatus = 'converted';
  readonly remarks = new RemarkList();

  constructor(
    readonly node: N8nNode,
    readonly id: string,
    /** A new id, made of the words of a name. */
    readonly createId: (name: string) => string,
    readonly parts: ConversionContext = NO_PARTS,
  ) {
    for (const task of listMissingNames(node)) this.addTodo(task);
  }

  get message(): string {
    return this.remarks.message;
  }

  /** Adds a remark that requires no action. */
  addRemark(sentence: string): void {
    this.remarks.addNote(sentence);
  }

  /** Adds a task; the node then counts as partly converted. */
  addTodo(sentence: string): void {
    if (OUTPUT_TASK.test(sentence) && !this.parts.hasFollowers(this.node)) return;
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.remarks.addTask(sentence);
  }

  /** Asks for a field that is empty in n8n, too. `field`: its path in the node. */
  addChoice(field: string, sentence: string): void {
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.remarks.addChoice(field, sentence);
  }

  /** Says that a failure of a node before its own ends the run, where n8n would go on. */
  remarkFailureBefore(): void {
    if (this.node.onError !== 'stop') this.addTodo('A failure of it ends the run: connect its error port.');
  }

  /** Passes its items on in place of a node without a counterpart. */
  placeholder(reason: string): ItemNodes {
    this.outcome = 'placeholder';
    this.addRemark(reason);
    return this.eachNode({ type: 'transform', config: { expression: 'input' } });
  }

  private readonly reportLost = (source: string, reason: string): void => {
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.remarks.addLostExpression(source, reason);
  };

  /** A parameter as JavaScript. */
  code = (given: unknown): string => writeParameterSource(given, this.reportLost);

  /** A parameter as a text of a config. */
  text = (given: unknown): string | undefined =>
    typeof given === 'string'
      ? writeConfigText(given, this.reportLost)
      : typeof given === 'number' || typeof given === 'boolean'
        ? String(given)
        : undefined;

  /** A parameter as a value of a config. */
  value = (given: unknown): unknown => writeConfigValue(given, this.reportLost);

  /** The call of a function of the prelude with the parameters of the node. */
  callPrelude(name: string, changes: Record<string, unknown> = {}): string {
    const { version, parameters } = this.node;
    const given = writeParameter({ ...parameters, ...changes }, this.reportLost);
    return `n8n.${name}(${version}, ${given})`;
  }

  /** A node as it is stored. */
  createNode(id: string, { type, config }: NodeSketch, more: Partial<WorkflowNode> = {}): WorkflowNode {
    const { name, position, isDisabled, notes } = this.node;
    return {
      id,
      type,
      name: cutWellFormed(name, 200),
      position,
      config,
      ...(isDisabled ? { disabled: true } : {}),
      ...(notes ? { notes: cutWellFormed(notes, 5000) } : {}),
      ...more,
    };
  }

  /**
   * A node that runs once for each item. `isFlattened`: it gives a list for each. `origin`: the node that had the item
   * which belongs to an error; absent: the one before it.
   */
  eachNode(sketch: NodeSketch, ports: readonly string[] = ['output'], isFlattened = false, origin?: string): ItemNodes {
    const { executesOnce, alwaysOutputsData, onError } = this.node;
    const { expression } = sketch.config;
    if (executesOnce && typeof expression === 'string' && READS_ALL_ITEMS.test(expression)) {
      if (sketch.type === 'transform' && ports.length === 1 && !READS_OTHER_ITEM.test(expression))
        return this.wholeNode({
          type: 'transform',
          config: { expression: `n8n.forFirstItem(() => ${expression}, ${String(alwaysOutputsData)})` },
        });
      this.addTodo('Check what it reads of all its items: here it gets the first alone.');
    }
    const each = {
      ...(executesOnce ? { items: FIRST_ITEM } : {}),
      ...(onError === 'stop' ? {} : { onError: 'continue' as const }),
      ...(alwaysOutputsData ? { onEmpty: 'pass' as const } : {}),
      ...(isFlattened ? { flatten: true } : {}),
    };
    const node = this.createNode(this.id, sketch, { each });
    const outputs = ports.map((port) => [{ node: this.id, port }]);
    const made = { nodes: [node], connections: [], entries: [this.id], outputs };
    return onError === 'output' && ports.length === 1 ? this.withErrorOutput(made, origin) : made;
  }

  /** Divides what a node gives: errors leave by an output of their own. */
  private withErrorOutput(made: ItemNodes, origin?: string): ItemNodes {
    const test = this.createId(`${this.id}_failed`);
    const error = this.createId(`${this.id}_error`);
    const isAlone = ERRORS_ALONE.has(shortNodeType(this.node.type)) && this.node.version >= 2;
    const errorItem = isAlone ? 'input' : `n8n.errorItem(${origin ? JSON.stringify(origin) : ''})`;
    const condition = this.createHelper(test, 'failed?', {
      type: 'condition',
      config: { expression: 'n8n.hasError(input)' },
    });
    const merged = this.createHelper(error, 'error', { type: 'transform', config: { expression: errorItem } }, 2);
    return {
      ...made,
      nodes: [...made.nodes, condition, merged],
      connections: [...made.connections, connectNodes(this.id, test), connectNodes(test, error, 'true')],
      outputs: [[{ node: test, port: 'false' }], [{ node: error, port: 'output' }]],
    };
  }

  /** A node beside the own one, for each item. */
  createHelper(id: string, name: string, sketch: NodeSketch, place = 1): WorkflowNode {
    const { x, y } = this.node.position;
    const { notes: _, ...node } = this.createNode(id, sketch, { each: {} });
    const position = { x: x + ERROR_NODE_GAP.x * place, y: y + ERROR_NODE_GAP.y };
    return { ...node, name: cutWellFormed(`${this.node.name}: ${name}`, 200), position };
  }

  /** The items that a call before the own node is made for, which belong to its results. */
  createItemsNode(id: string): WorkflowNode {
    const node = this.createHelper(id, 'items', { type: 'transform', config: { expression: 'input' } }, -2);
    return this.node.executesOnce ? { ...node, each: { items: FIRST_ITEM } } : node;
  }

  /** A node that works on the whole list. */
  listNode(expression: string): ItemNodes {
    const { executesOnce, alwaysOutputsData } = this.node;
    const once = executesOnce ? `n8n.useFirstItem(() => ${expression})` : expression;
    return this.wholeNode({
      type: 'transform',
      config: { expression: alwaysOutputsData ? `n8n.orEmpty(${once})` : once },
    });
  }

  /** A node that runs once. A failure that does not end the run is an item with the error. */
  wholeNode(sketch: NodeSketch): ItemNodes {
    const { onError } = this.node;
    const node = this.createNode(this.id, sketch);
    const output = { node: this.id, port: 'output' };
    const made = { nodes: [node], connections: [], entries: [this.id], outputs: [[output]] };
    if (onError === 'stop') return made;
    const error = this.createId(`${this.id}_error`);
    const shape = { type: 'transform', config: { expression: '({ error: input.message })' } };
    const failed = { node: error, port: 'output' };
    return {
      ...made,
      nodes: [node, this.createHelper(error, 'error', shape)],
      connections: [connectNodes(this.id, error, 'error')],
      outputs: onError === 'output' ? [[output], [failed]] : [[output, failed]],
    };
  }

  /** A node that works on the lists of several inputs. */
  mergeNode(name: string, count: number, changes: Record<string, unknown> = {}): ItemNodes {
    const entries = Array.from({ length: count }, (_, index) => this.createId(`${this.id}_input_${index + 1}`));
    const inputs = entries.map((id, index) => ({
      ...this.createHelper(id, `input ${index + 1}`, { type: 'transform', config: { expression: 'input' } }, -1),
      position: { x: this.node.position.x - 160, y: this.node.position.y + index * 120 },
    }));
    const reads = entries.map((id) => `nodes.${id}`).join(', ');
    const call = this.callPrelude(name, changes);
    const { executesOnce, alwaysOutputsData } = this.node;
    const expression = `${call.slice(0, -1)}, [${reads}]${executesOnce ? ', true' : ''})`;
    const made = this.wholeNode({
      type: 'transform',
      config: { expression: alwaysOutputsData ? `n8n.orEmpty(${expression})` : expression },
    });
    return {
      ...made,
      nodes: [...inputs, ...made.nodes],
      connections: [...made.connections, ...entries.map((id) => connectNodes(id, this.id))],
      entries,
    };
  }
}
