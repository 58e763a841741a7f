import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CreatePollRequest } from '@/contract/triggers/poll';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { readinessIssues } from '@/server/workflow/definition/readiness';
import { importN8n, type ImportedWorkflow } from './convert';

const FOLDER = path.join(import.meta.dirname, 'fixtures');
const fixture = (name: string): ImportedWorkflow =>
  importN8n(JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')));
const NAMES = readdirSync(FOLDER).map((file) => file.replace('.json', ''));

const linksOf = ({ connections }: WorkflowDefinition) =>
  connections.map(({ sourceNode, sourcePort, targetNode }) => `${sourceNode}:${sourcePort}>${targetNode}`);
const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  parameters,
  typeVersion: 3.4,
  position: [0, 0],
  ...more,
});
const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));

/** The import of nodes that follow each other, or of those with the given connections. */
function imported(nodes: { name: string }[], links?: Record<string, object[][]>) {
  const chain = nodes.slice(1).map((one, index) => [nodes[index]?.name ?? '', [to(one.name)]] as const);
  const connections = Object.entries(links ?? Object.fromEntries(chain)).map(([name, main]) => [name, { main }]);
  const result = importN8n({
    name: 'Theirs',
    nodes,
    connections: Object.fromEntries(connections) as object,
  });
  const byId = Object.fromEntries(result.definition.nodes.map((one) => [one.id, one]));
  const said = Object.fromEntries(result.report.map(({ node: name, outcome, message }) => [name, [outcome, message]]));
  return { ...result, byId, said, links: linksOf(result.definition) };
}
const assigned = (...fields: (readonly [string, unknown])[]) => ({
  assignments: { assignments: fields.map(([name, value]) => ({ name, value, type: 'string' })) },
});

describe('exports of n8n', () => {
  it.each(NAMES)('“%s” becomes a workflow that lacks nothing but choices', (name) => {
    const { definition, report } = fixture(name);
    const missing = readinessIssues(definition).map(({ field }) => field.replace(/^.*\.config\./, ''));
    expect(missing.filter((field) => field !== 'workflowId')).toEqual([]);
    const steps = definition.nodes.map(({ name: own }) => own);
    for (const { node: own, outcome } of report.filter(({ outcome }) => outcome === 'placeholder')) {
      expect([own, outcome, steps.includes(own)]).toEqual([own, 'placeholder', true]);
    }
  });

  it('say what starts them', () => {
    expect(
      NAMES.map((name) => [
        name,
        fixture(name)
          .triggers.map(({ kind }) => kind)
          .join(),
      ]),
    ).toEqual([
      ['count-to-three', ''],
      ['export-csv', 'schedule'],
      ['holiday-request', 'form'],
      ['join-orders', ''],
      ['leads-in-postgres', 'webhook'],
      ['news-digest', 'poll,webhook'],
      ['order-chat', 'chat'],
      ['order-to-slack', 'webhook'],
      ['overdue-invoices', 'schedule'],
      ['poll-until-done', ''],
      ['scrape-prices', ''],
      ['shop-assistant', 'webhook'],
      ['support-router', 'webhook'],
      ['sync-contacts', ''],
    ]);
    expect(fixture('overdue-invoices')).toMatchObject({
      settings: { timeZone: 'Europe/Vienna' },
      triggers: [{ settings: { cron: '30 7 * * *', timezone: 'Europe/Vienna' } }],
    });
    expect(fixture('export-csv').triggers).toMatchObject([{ settings: { cron: '15 6 * * 1' } }]);
    expect(fixture('holiday-request').triggers).toMatchObject([
      {
        settings: {
          title: 'Holiday',
          fields: [
            { name: 'your_name', label: 'Your name', kind: 'text', required: true },
            { name: 'e_mail', kind: 'email' },
            { name: 'first_day', kind: 'date' },
            { name: 'kind', kind: 'select', options: ['Paid', 'Unpaid'] },
          ],
        },
      },
    ]);
  });

  it('keep their graph: parts of agents are no nodes, circles are repeated', () => {
    const { definition, report } = fixture('support-router');
    expect(linksOf(definition)).toEqual(
      expect.arrayContaining([
        'mail_in:output>classify_items',
        'classify_items:output>classify_call',
        'classify_call:output>classify',
        'classify:output>route',
        'route_output_1:output>to_billing_items',
        'route_output_2:output>create_issue_items',
        'route_output_3:output>draft_items',
      ]),
    );
    expect(report.map(({ node: name, outcome }) => `${name}: ${outcome}`)).toEqual([
      'Mail in: converted',
      'Classify: partly',
      'OpenAI Chat Model: converted',
      'Route: converted',
      'To billing: partly',
      'Create issue: partly',
      'Draft: partly',
    ]);
    const polled = fixture('poll-until-done');
    expect(polled.definition.nodes.filter(({ type }) => type === 'repeat')).toHaveLength(1);
    expect(polled.report.find(({ node: name }) => name === 'Wait')).toMatchObject({
      outcome: 'converted',
      message: expect.stringContaining('It fails after 1000 rounds.'),
    });
  });

  it('have values in statements as bound parameters only', () => {
    const { definition } = fixture('leads-in-postgres');
    const configs = Object.fromEntries(definition.nodes.map(({ id, config }) => [id, config]));
    expect(configs['find_lead_call']).toEqual({
      statement: 'SELECT id, email FROM leads WHERE email = :p1 LIMIT 1',
      parameters: { p1: '{{ n8n.text(() => ($json.body.email.toLowerCase())) }}' },
      mode: 'rows',
    });
    expect(configs['add_lead_call']).toMatchObject({
      statement: 'INSERT INTO leads (email, source) VALUES (:v1, :v2) RETURNING id',
      parameters: { v1: "{{ $('Lead').item.json.body.email }}" },
    });
  });
});

describe('a node of n8n', () => {
  it('says what is lost, and keeps a safe value', () => {
    const { byId, said } = imported([
      node('Go', 'manualTrigger'),
      node('Edit', 'set', assigned(['a', '={{ $json.text.( }}'], ['b', '={{ $env.HOST }}'])),
    ]);
    expect(byId['edit']?.config['expression']).toContain('value: () => "(n8n: $json.text.()"');
    expect(byId['edit']?.unreviewed?.map(({ field }) => field)).toEqual(['config.expression', 'config']);
    expect(said['Edit']).toEqual([
      'partly',
      'Create the variables that are in the environment of n8n: HOST. Rewrite the expression “$json.text.(”: its syntax has no counterpart.',
    ]);
  });

  it('keeps its notes, errors and whether it is disabled', () => {
    const { byId, links } = imported([
      node('Go', 'manualTrigger'),
      node('Get', 'httpRequest', { url: 'https://a.example' }, { notes: 'Look', onError: 'continueRegularOutput' }),
      node('Off', 'set', assigned(['a', '1']), { disabled: true }),
    ]);
    expect(byId['get']).toMatchObject({ name: 'Get', notes: 'Look', each: { onError: 'continue' } });
    expect(byId['get_call']).toMatchObject({ each: { onError: 'continue' } });
    expect(links).toContain('get:output>off');
    expect(byId['off']?.disabled).toBe(true);
  });

  it('that calls a service keeps its retries, and is called once for each item', () => {
    const { byId, links } = imported([
      node('Go', 'manualTrigger'),
      node(
        'Get',
        'httpRequest',
        { url: '=https://a.example/{{ $json.id }}' },
        { retryOnFail: true, executeOnce: true },
      ),
      node('Odd', 'somethingUnknown'),
    ]);
    expect(byId['get_call']).toMatchObject({
      config: { url: 'https://a.example/{{ $json.id }}' },
      retry: { maxAttempts: 3, backoffMs: 1000 },
      each: {},
    });
    expect(byId['get_items']?.each).toEqual({ items: '[input].flat().slice(0, 1)' });
    expect(byId['odd']).toMatchObject({ type: 'transform', config: { expression: 'input' } });
    expect(links).toEqual([
      'get_items:output>get_call',
      'get_call:output>get',
      'go:output>get_items',
      'get:output>odd',
    ]);
  });

  it('is answered for by the first item of the last one', () => {
    const call = node('Call', 'webhook', { responseMode: 'lastNode' });
    const edits = ['Edit', 'Other'].map((name) => node(name, 'set', assigned(['a', '1'])));
    const { byId, triggers, links, said } = imported([call, ...edits.slice(0, 1)]);
    expect(links).toEqual(['call:output>edit', 'edit:output>edit_answer']);
    expect(byId['edit_answer']).toMatchObject({ type: 'respond', config: { body: '{{ $input.first().json }}' } });
    expect(triggers).toMatchObject([{ settings: { response: { mode: 'respond_node' } } }]);
    expect(said['Call']?.[0]).toBe('converted');
    const several = imported([call, ...edits], { Call: [to('Edit', 'Other')] });
    expect(several.triggers).toMatchObject([{ settings: { response: { mode: 'respond_node' } } }]);
    expect(several.links).toEqual(
      expect.arrayContaining([
        'edit:output>result_input_1',
        'other:output>result_input_2',
        'result:output>result_answer',
      ]),
    );
    expect(several.said['Call']?.[0]).toBe('converted');
    const alike = [node('Result', 'noOp'), node('Other', 'noOp')];
    const named = imported([call, ...alike], { Call: [to('Result', 'Other')] });
    expect(named.links).toEqual(
      expect.arrayContaining([
        'call:output>result',
        'result:output>result_2_input_1',
        'other:output>result_2_input_2',
        'result_2:output>result_2_answer',
      ]),
    );
    const joined = imported([call, ...edits, node('Both', 'set', assigned(['a', '1']))], {
      Call: [to('Edit', 'Other')],
      Edit: [to('Both')],
      Other: [to('Both')],
    });
    expect(joined.links).toContain('both:output>both_answer');
    expect(joined.said['Call']).toEqual(['partly', expect.stringContaining('in n8n the last one')]);
    const all = imported([{ ...call, parameters: { responseMode: 'lastNode', responseData: 'allEntries' } }, ...edits]);
    expect(all.triggers).toMatchObject([{ settings: { response: { mode: 'last_node' } } }]);
    const looping = imported([call, node('Loop', 'splitInBatches', {}, { typeVersion: 3 }), ...edits], {
      Call: [to('Loop')],
      Loop: [[], to('Edit')],
      Edit: [to('Loop')],
    });
    expect(looping.links).toContain('loop:output>loop_answer');
  });

  it('gives a caller one list, whichever of its branches ran', () => {
    const conditions = { conditions: [{ leftValue: '={{ $json.a }}', operator: { operation: 'exists' } }] };
    const nodes = [
      node('Called', 'executeWorkflowTrigger'),
      node('If', 'if', { conditions }),
      node('One', 'noOp'),
      node('Other', 'noOp'),
    ];
    const { links, said } = imported(nodes, { Called: [to('If')], If: [to('One'), to('Other')] });
    expect(links).toEqual(
      expect.arrayContaining(['one:output>result_for_callers_input_1', 'other:output>result_for_callers_input_2']),
    );
    expect(said['Called']?.[0]).toBe('converted');
    // In n8n the node that both lead to runs twice, and its last run counts.
    const joined = imported(nodes, { Called: [to('If')], If: [to('One', 'Other')], One: [to('Other')] });
    expect(joined.said['Called']).toEqual(['partly', expect.stringContaining('Check what callers get')]);
    const beside = imported(
      [...nodes, node('Hourly', 'scheduleTrigger', {}, { typeVersion: 1.2 }), node('Aside', 'noOp')],
      {
        Called: [to('One')],
        Hourly: [to('Aside')],
      },
    );
    expect(beside.links).toEqual(
      expect.arrayContaining(['one:output>result_for_callers', 'aside:output>result_for_callers']),
    );
  });

  it('of another package with the same name is no node of n8n itself', () => {
    const { said } = imported([node('Go', 'manualTrigger'), node('Mine', 'n8n-nodes-mine.set')]);
    expect(said['Mine']?.[0]).toBe('placeholder');
  });

  it('with a mailbox whose certificate n8n does not verify asks for that certificate with the account', () => {
    const options = { allowUnauthorizedCerts: true, customEmailConfig: '["UNSEEN"]' };
    const { said } = imported([node('Inbox', 'emailReadImap', { options })]);
    expect(said['Inbox']?.[1]).toContain('with the certificate of its server as CA');
  });

  it('with a mailbox becomes a poll of it, which waits for an account', () => {
    const options = { customEmailConfig: '["UNSEEN", ["SUBJECT", "Order"], ["SINCE", "1-Feb-2026"]]' };
    const { triggers, said, byId, settings } = imported([
      node('Inbox', 'emailReadImap', { mailbox: 'Orders', downloadAttachments: true, options }),
      node('Set', 'set', assigned(['text', '={{ $json.textPlain }}'])),
    ]);
    expect(triggers).toMatchObject([
      {
        kind: 'poll',
        settings: {
          name: 'Inbox',
          enabled: false,
          node: {
            type: 'read_email',
            config: { mailbox: 'Orders', unseen: true, subject: 'Order', attachments: true, afterwards: 'mark_read' },
          },
        },
      },
    ]);
    expect(
      triggers.map((trigger) => (trigger.kind === 'poll' ? CreatePollRequest.parse(trigger.settings) : null)),
    ).toEqual([expect.objectContaining({ key: 'item.id', cursor: 'input.cursor' })]);
    expect(said['Inbox']).toEqual([
      'partly',
      'Choose its mail account under Triggers, then enable it. It has no other filters than unread, sender and subject: add a condition for the rest.',
    ]);
    expect(JSON.stringify(byId)).toContain('\\"textPlain\\": $json?.text');
    expect(settings).toEqual({});
  });

  it('behind several triggers reads each of them by its name', () => {
    const { byId, links } = imported(
      [
        node('Mail', 'gmailTrigger'),
        node('Inbox', 'emailReadImap'),
        node('Call', 'webhook'),
        node('Set', 'set', assigned(['a', '={{ $json.Subject }}'], ['b', "={{ $('Inbox').item.json.textPlain }}"])),
      ],
      { Mail: [to('Set')], Inbox: [to('Set')], Call: [to('Set')] },
    );
    expect(links).toContain('mail_fields:output>set');
    expect(links).toContain('inbox_fields:output>set');
    expect(byId['mail_fields']).toMatchObject({
      name: 'Mail',
      config: { expression: expect.stringContaining('"Subject": $json?.subject') },
    });
    expect(byId['set']?.config['expression']).toContain("value: () => ($('Inbox').item.json.textPlain)");
  });

  it('with triggers that lead to different nodes begins at the one that fires', () => {
    const { triggers, links } = imported(
      [
        node('Tick', 'scheduleTrigger', { rule: { interval: [{ field: 'hours', hoursInterval: 2 }] } }),
        node('Call', 'webhook'),
        node('A', 'noOp'),
        node('B', 'noOp'),
      ],
      { Tick: [to('A')], Call: [to('B')] },
    );
    expect(links).toEqual(['tick:output>a', 'call:output>b']);
    expect(triggers.map(({ settings }) => (settings as { startNodeId?: string }).startNodeId)).toEqual([
      'tick',
      'call',
    ]);
  });
});

it.each(NAMES)('no card covers another in “%s”', (name) => {
  const { nodes } = fixture(name).definition;
  const covered = nodes.flatMap((one, index) =>
    nodes
      .slice(0, index)
      .filter((other) => Math.abs(one.position.x - other.position.x) < 236)
      .filter((other) => Math.abs(one.position.y - other.position.y) < 60)
      .map((other) => [one.name, other.name]),
  );
  expect(covered).toEqual([]);
});
