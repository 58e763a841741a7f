import type { WorkflowTemplate, TemplateTrigger } from '@/contract/workflows/template';
import { listPlaceholderIds, replacePlaceholders, wholePlaceholderId } from '@/contract/workflows/template-placeholder';
import { TEMPLATE_TABLE_ID, TEMPLATE_POLL_NODE_PATH } from '@/contract/workflows/template-purposes';
import type { WorkflowDefinition, WorkflowNode, CanvasNote } from '@/contract/workflows/workflow';

/** What a person chose in the set-up of a template. An absent choice was skipped. */
export interface SetUpChoices {
  /** Ids of credentials, by the id of the need. */
  credentials: Readonly<Record<string, string | undefined>>;
  values: Readonly<Record<string, string | undefined>>;
  /** What picked values were called, by the id of the value. */
  labels?: Readonly<Record<string, string | undefined>>;
  tableId?: string | undefined;
  /** The signing secret of the provider that calls the webhook. */
  secret?: string | undefined;
}

export interface PreparedWorkflow {
  definition: WorkflowDefinition;
  /** The triggers that can be created. A poll needs its credential and its address. */
  triggers: TemplateTrigger[];
}

/**
 * The workflow of a template with the answers in place. What was skipped stays empty, and a note on the canvas lists
 * it.
 */
export function applyTemplate(template: WorkflowTemplate, answers: SetUpChoices): PreparedWorkflow {
  const place = new TemplateFiller(template, answers);
  const nodes = place.fillNodes(template.definition.nodes, '');
  const triggers = template.triggers.flatMap((trigger) => place.fillTrigger(trigger));
  const note = createTaskNote(listSkippedTasks(template, answers), template.definition);
  const notes = [...(template.definition.notes ?? []), ...(note ? [note] : [])];
  return { definition: { ...template.definition, nodes, ...(notes.length > 0 ? { notes } : {}) }, triggers };
}

/** What is still to be done, one sentence for each answer that was skipped. */
export function listSkippedTasks(
  template: WorkflowTemplate,
  { credentials, values, tableId, secret }: SetUpChoices,
): string[] {
  const isPoll = template.triggers.some(({ kind }) => kind === 'poll');
  const tasks = [
    ...template.credentials
      .filter(({ id }) => !credentials[id])
      .map(
        ({ label, nodes }) =>
          `Choose the credential *${label}* of ${nodes.map((node) => quotedNodeTitle(template, node)).join(', ')}.`,
      ),
    ...template.values.filter(({ id }) => !values[id]).map(({ label, help }) => `Enter *${label}*: ${help}`),
    ...(template.table && !tableId ? [`Choose the table *${template.table.name}* in its nodes.`] : []),
    ...(hasProviderWebhook(template) && !secret ? ['Enter the signing secret of the sender in the webhook.'] : []),
  ];
  return isPoll && tasks.length > 0 ? [...tasks, 'Add the poll under *Triggers*, if it is not there.'] : tasks;
}

/** Whether a provider signs the calls of its webhook, with a secret that both sides know. */
export const hasProviderWebhook = ({ triggers }: Pick<WorkflowTemplate, 'triggers'>): boolean =>
  triggers.some(isProviderTrigger);

const isProviderTrigger = (trigger: TemplateTrigger) =>
  trigger.kind === 'webhook' && trigger.settings.verification?.kind === 'provider';

function quotedNodeTitle({ definition }: WorkflowTemplate, path: string): string {
  if (path === TEMPLATE_POLL_NODE_PATH) return 'the poll';
  let { nodes } = definition;
  let found: WorkflowNode | undefined;
  for (const id of path.split('.')) {
    found = nodes.find((node) => node.id === id);
    nodes = (found && loopBody(found)?.nodes) ?? [];
  }
  return `*${found?.name ?? path}*`;
}

/** The workflow inside a loop; other nodes have bodies that are data. */
export const loopBody = ({ type, config: { body } }: WorkflowNode): WorkflowDefinition | undefined =>
  type === 'for_each' || type === 'repeat' ? (body as WorkflowDefinition) : undefined;

const NOTE_SIZE = { width: 560, height: 180 };

function createTaskNote(missing: string[], { notes = [] }: WorkflowDefinition): CanvasNote | undefined {
  if (missing.length === 0) return undefined;
  const height = Math.max(NOTE_SIZE.height, 70 + missing.length * 50);
  const x = notes.length === 0 ? 0 : NOTE_SIZE.width + 40;
  const text = `**Still to do**\n${missing.map((task, index) => `${index + 1}. ${task}`).join('\n')}`;
  return { id: 'still-to-do', position: { x, y: -height - 60 }, size: { ...NOTE_SIZE, height }, text, color: 'red' };
}

const MISSING_VALUE = Symbol('missing');

/** Puts answers into nodes and triggers. */
class TemplateFiller {
  private readonly known: ReadonlySet<string>;

  constructor(
    private readonly template: WorkflowTemplate,
    private readonly choices: SetUpChoices,
  ) {
    this.known = new Set(template.values.map(({ id }) => id));
  }

  fillNodes(nodes: WorkflowNode[], prefix: string): WorkflowNode[] {
    return nodes.map((node) => {
      const path = prefix + node.id;
      const inner = loopBody(node);
      const { body: _, ...rest } = node.config;
      const config = inner
        ? { ...this.fillObject(rest), body: { ...inner, nodes: this.fillNodes(inner.nodes, `${path}.`) } }
        : this.fillObject(node.config);
      const credentialId = this.chosenCredential(path);
      return { ...node, config, ...(credentialId ? { credentialId } : {}), ...this.pickedLabels(node.config) };
    });
  }

  /** What the picked values of a node were called, by their paths: fields that a value fills in by itself. */
  private pickedLabels(config: Record<string, unknown>): { labels?: Record<string, string> } {
    const { parameters } = config;
    const listAt = (fields: object, prefix: string) =>
      Object.entries(fields).flatMap(([name, value]): [string, string][] => {
        const id = wholePlaceholderId(value);
        const label = id === undefined ? undefined : this.choices.labels?.[id];
        return label ? [[prefix + name, label]] : [];
      });
    const inside = typeof parameters === 'object' && parameters !== null ? listAt(parameters, 'parameters.') : [];
    const found = [...listAt(config, ''), ...inside];
    return found.length > 0 ? { labels: Object.fromEntries(found) } : {};
  }

  fillTrigger(trigger: TemplateTrigger): TemplateTrigger[] {
    if (trigger.kind === 'poll') return this.fillPoll(trigger);
    if (trigger.kind !== 'webhook' || trigger.settings.verification?.kind !== 'provider') return [trigger];
    // Until the secret of the provider is known, an unknown one keeps all callers out.
    const secret = this.choices.secret || crypto.randomUUID().replaceAll('-', '');
    return [
      { ...trigger, settings: { ...trigger.settings, verification: { ...trigger.settings.verification, secret } } },
    ];
  }

  private fillPoll(trigger: TemplateTrigger & { kind: 'poll' }): TemplateTrigger[] {
    const { node } = trigger.settings;
    const isNeeded = this.template.credentials.some(({ nodes }) => nodes.includes(TEMPLATE_POLL_NODE_PATH));
    const credentialId = this.chosenCredential(TEMPLATE_POLL_NODE_PATH);
    const config = this.fillObject(node.config);
    if ((isNeeded && !credentialId) || Object.keys(config).length < Object.keys(node.config).length) return [];
    return [
      {
        ...trigger,
        settings: {
          ...trigger.settings,
          node: { ...node, config, ...(credentialId ? { credentialId } : {}), ...this.pickedLabels(node.config) },
        },
      },
    ];
  }

  private chosenCredential(path: string): string | undefined {
    const need = this.template.credentials.find(({ nodes }) => nodes.includes(path));
    return need && this.choices.credentials[need.id];
  }

  /** An object with the answers in place, without the parts that need a missing one. */
  private fillObject(given: object): Record<string, unknown> {
    const entries = Object.entries(given).map(([name, part]) => [name, this.fillValue(part)] as const);
    return Object.fromEntries(entries.filter(([, part]) => part !== MISSING_VALUE));
  }

  private fillValue(given: unknown): unknown {
    if (typeof given === 'string') return this.fillText(given);
    if (Array.isArray(given)) return given.map((item) => this.fillValue(item)).filter((item) => item !== MISSING_VALUE);
    return typeof given === 'object' && given !== null ? this.fillObject(given) : given;
  }

  private fillText(given: string): string | typeof MISSING_VALUE {
    if (given === TEMPLATE_TABLE_ID) return this.choices.tableId ?? MISSING_VALUE;
    const names = listPlaceholderIds(given).filter((name) => this.known.has(name));
    if (names.some((name) => !this.choices.values[name])) return MISSING_VALUE;
    return replacePlaceholders(given, (whole, name) =>
      this.known.has(name) ? (this.choices.values[name] ?? whole) : whole,
    );
  }
}
