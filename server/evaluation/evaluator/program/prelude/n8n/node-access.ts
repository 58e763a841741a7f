import { PreludeFailure } from './failure';
import { readItem, readItems, type N8nItem } from './items';
import type { N8nNodeFacts, RealmData } from './realm-data';

/** The outputs of nodes, which are parsed when they are read. */
export class NodeOutputs {
  private readonly parsed = new Map<string, unknown>();

  constructor(
    private readonly data: RealmData,
    private readonly facts: N8nNodeFacts,
  ) {}

  has(id: string): boolean {
    return Object.hasOwn(this.data.nodes ?? {}, id);
  }

  read(id: string): unknown {
    if (!this.has(id)) return undefined;
    if (!this.parsed.has(id)) this.parsed.set(id, JSON.parse(this.data.nodes?.[id] ?? 'null'));
    return this.parsed.get(id);
  }

  /** The id of the node with a name. Throws PreludeFailure. */
  findId(name: unknown): string {
    const { names } = this.facts;
    const id = Object.hasOwn(names, String(name)) ? names[String(name)] : undefined;
    if (id === undefined) throw new PreludeFailure(`There is no node “${String(name)}”`);
    return id;
  }
}

/** What `$('Node')` gives. */
export class NodeAccess {
  private readonly id: string;

  constructor(
    private readonly name: string,
    private readonly outputs: NodeOutputs,
    private readonly data: RealmData,
  ) {
    this.id = outputs.findId(name);
  }

  get isExecuted(): boolean {
    return this.outputs.has(this.id);
  }

  get params(): never {
    throw new PreludeFailure('The parameters of other nodes can not be read');
  }

  get context(): Record<string, unknown> {
    const output = this.outputs.read(this.id);
    const { context } = (typeof output === 'object' && output !== null ? output : {}) as { context?: unknown };
    return typeof context === 'object' && context !== null ? (context as Record<string, unknown>) : {};
  }

  private items(): N8nItem[] {
    if (!this.isExecuted) throw new PreludeFailure(`The node “${this.name}” has not run`);
    return readItems(this.outputs.read(this.id));
  }

  all = (): N8nItem[] => this.items();
  first = (): N8nItem | undefined => this.items()[0];
  last = (): N8nItem | undefined => this.items().at(-1);

  /** The item that the present one came from. */
  get item(): N8nItem {
    const { paired } = this.data;
    if (paired && Object.hasOwn(paired, this.id)) return readItem(paired[this.id]);
    const items = this.items();
    const [only] = items;
    if (items.length === 1 && only) return only;
    throw new PreludeFailure(`It is not known which item of the node “${this.name}” this one came from`);
  }

  get pairedItem(): (index?: number) => N8nItem {
    return (index) => this.itemMatching(index);
  }

  itemMatching = (index?: number): N8nItem => {
    if (index === undefined || index === this.data.index) return this.item;
    const items = this.items();
    const found = items[index];
    if (!found) throw new PreludeFailure(`The node “${this.name}” has no item ${index}`);
    return found;
  };

  /** What `$node["Node"]` gives: the item at the same index. */
  asFormer(at = this.data.index ?? 0): Record<'json' | 'data' | 'binary' | 'context' | 'runIndex', unknown> {
    const found = () => {
      const items = this.items();
      const item = items[at] ?? (items.length === 1 ? items[0] : undefined);
      if (!item) throw new PreludeFailure(`The node “${this.name}” has no item ${at}`);
      return item;
    };
    const context = () => this.context;
    return {
      get json() {
        return found().json;
      },
      get data() {
        return found().json;
      },
      get binary() {
        return found().binary ?? {};
      },
      get context() {
        return context();
      },
      runIndex: 0,
    };
  }
}
