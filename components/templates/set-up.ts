import type { Template, TemplateTrigger } from '@/contract/workflows/template';
import { OWN_TABLE, POLL } from '@/contract/workflows/template-purposes';
import type { Definition, Node, Note } from '@/contract/workflows/workflow';

/** What someone chose in the set-up of a template. What is absent was skipped. */
export interface Answers {
  /** Ids of credentials, by the id of the need. */
  credentials: Readonly<Record<string, string | undefined>>;
  values: Readonly<Record<string, string | undefined>>;
  tableId?: string | undefined;
  /** The signing secret of the provider that calls the webhook. */
  secret?: string | undefined;
}

export interface SetUp {
  definition: Definition;
  /** Those that can be created: a poll without its credential or address can not. */
  triggers: TemplateTrigger[];
}

/** The workflow of a template with the answers in place. What was skipped stays empty, and a note on the canvas lists it. */
export function setUp(template: Template, answers: Answers): SetUp {
  const place = new Placement(template, answers);
  const nodes = place.nodes(template.definition.nodes, '');
  const triggers = template.triggers.flatMap((trigger) => place.trigger(trigger));
  const note = noteOf(missingIn(template, answers), template.definition);
  const notes = [...(template.definition.notes ?? []), ...(note ? [note] : [])];
  return { definition: { ...template.definition, nodes, ...(notes.length > 0 ? { notes } : {}) }, triggers };
}

/** What is still to be done, one sentence for each answer that was skipped. */
export function missingIn(template: Template, { credentials, values, tableId, secret }: Answers): string[] {
  const isPoll = template.triggers.some(({ kind }) => kind === 'poll');
  const tasks = [
    ...template.credentials
      .filter(({ id }) => !credentials[id])
      .map(
        ({ label, nodes }) =>
          `Choose the credential *${label}* of ${nodes.map((node) => titleOf(template, node)).join(', ')}.`,
      ),
    ...template.values.filter(({ id }) => !values[id]).map(({ label, help }) => `Enter *${label}*: ${help}`),
    ...(template.table && !tableId ? [`Choose the table *${template.table.name}* in its nodes.`] : []),
    ...(hasProvider(template) && !secret ? ['Enter the signing secret of the sender in the webhook.'] : []),
  ];
  return isPoll && tasks.length > 0 ? [...tasks, 'Add the poll under *Triggers*, if it is not there.'] : tasks;
}

/** Whether a provider signs the calls of its webhook, with a secret that both sides know. */
export const hasProvider = ({ triggers }: Pick<Template, 'triggers'>): boolean => triggers.some(isProvider);

const isProvider = (trigger: TemplateTrigger) =>
  trigger.kind === 'webhook' && trigger.settings.verification?.kind === 'provider';

function titleOf({ definition }: Template, path: string): string {
  if (path === POLL) return 'the poll';
  let { nodes } = definition;
  let found: Node | undefined;
  for (const id of path.split('.')) {
    found = nodes.find((node) => node.id === id);
    nodes = (found && bodyOf(found)?.nodes) ?? [];
  }
  return `*${found?.name ?? path}*`;
}

/** The workflow inside a loop; other nodes have bodies that are data. */
const bodyOf = ({ type, config: { body } }: Node): Definition | undefined =>
  type === 'for_each' || type === 'repeat' ? (body as Definition) : undefined;

const SIZE = { width: 560, height: 180 };

function noteOf(missing: string[], { notes = [] }: Definition): Note | undefined {
  if (missing.length === 0) return undefined;
  const height = Math.max(SIZE.height, 70 + missing.length * 50);
  const x = notes.length === 0 ? 0 : SIZE.width + 40;
  const text = `**Still to do**\n${missing.map((task, index) => `${index + 1}. ${task}`).join('\n')}`;
  return { id: 'still-to-do', position: { x, y: -height - 60 }, size: { ...SIZE, height }, text, color: 'red' };
}

const PLACEHOLDER = /\[\[([A-Za-z0-9]+)\]\]/g;
const MISSING = Symbol('missing');

/** Puts answers into nodes and triggers. */
class Placement {
  private readonly known: ReadonlySet<string>;

  constructor(
    private readonly template: Template,
    private readonly answers: Answers,
  ) {
    this.known = new Set(template.values.map(({ id }) => id));
  }

  nodes(nodes: Node[], prefix: string): Node[] {
    return nodes.map((node) => {
      const path = prefix + node.id;
      const inner = bodyOf(node);
      const { body: _, ...rest } = node.config;
      const config = inner
        ? { ...this.object(rest), body: { ...inner, nodes: this.nodes(inner.nodes, `${path}.`) } }
        : this.object(node.config);
      const credentialId = this.credentialOf(path);
      return { ...node, config, ...(credentialId ? { credentialId } : {}) };
    });
  }

  trigger(trigger: TemplateTrigger): TemplateTrigger[] {
    if (trigger.kind === 'poll') return this.poll(trigger);
    if (trigger.kind !== 'webhook' || trigger.settings.verification?.kind !== 'provider') return [trigger];
    // Until the secret of the provider is known, an unknown one keeps all callers out.
    const secret = this.answers.secret || crypto.randomUUID().replaceAll('-', '');
    return [
      { ...trigger, settings: { ...trigger.settings, verification: { ...trigger.settings.verification, secret } } },
    ];
  }

  private poll(trigger: TemplateTrigger & { kind: 'poll' }): TemplateTrigger[] {
    const { node } = trigger.settings;
    const isNeeded = this.template.credentials.some(({ nodes }) => nodes.includes(POLL));
    const credentialId = this.credentialOf(POLL);
    const config = this.object(node.config);
    if ((isNeeded && !credentialId) || Object.keys(config).length < Object.keys(node.config).length) return [];
    return [
      {
        ...trigger,
        settings: { ...trigger.settings, node: { ...node, config, ...(credentialId ? { credentialId } : {}) } },
      },
    ];
  }

  private credentialOf(path: string): string | undefined {
    const need = this.template.credentials.find(({ nodes }) => nodes.includes(path));
    return need && this.answers.credentials[need.id];
  }

  /** An object with the answers in place, without the parts that need a missing one. */
  private object(given: object): Record<string, unknown> {
    const entries = Object.entries(given).map(([name, part]) => [name, this.fill(part)] as const);
    return Object.fromEntries(entries.filter(([, part]) => part !== MISSING));
  }

  private fill(given: unknown): unknown {
    if (typeof given === 'string') return this.text(given);
    if (Array.isArray(given)) return given.map((item) => this.fill(item)).filter((item) => item !== MISSING);
    return typeof given === 'object' && given !== null ? this.object(given) : given;
  }

  private text(given: string): string | typeof MISSING {
    if (given === OWN_TABLE) return this.answers.tableId ?? MISSING;
    const names = [...given.matchAll(PLACEHOLDER)].map(([, name = '']) => name).filter((name) => this.known.has(name));
    if (names.some((name) => !this.answers.values[name])) return MISSING;
    return given.replace(PLACEHOLDER, (whole, name: string) =>
      this.known.has(name) ? (this.answers.values[name] ?? whole) : whole,
    );
  }
}
