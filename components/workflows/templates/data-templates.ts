import { connect, node, OWN_TABLE, setUp, type Template } from './template';
import { CHECKOUT_PAID, STRIPE_SET_UP } from './webhook-templates';

const optional = { type: 'text' } as const;

/** Templates that store, convert and remember data. */
export const DATA_TEMPLATES: Template[] = [
  {
    name: 'Stripe payment → table',
    description: 'Keeps each paid Stripe checkout as a row of a table. An event that Stripe sends twice is one row.',
    table: {
      name: 'Payments',
      columns: [
        { name: 'payment', type: 'text', isRequired: true, isUnique: true },
        { name: 'email', ...optional },
        { name: 'amount', type: 'number' },
        { name: 'currency', ...optional },
        { name: 'paid', type: 'timestamp' },
      ],
    },
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        CHECKOUT_PAID,
        node('keep', 'table', 2, 0, {
          name: 'Keep the payment',
          config: {
            tableId: OWN_TABLE,
            operation: 'upsert',
            key: { payment: '{{ input.data.object.id }}' },
            row: {
              email: '{{ input.data.object.customer_details.email }}',
              amount: '{{ input.data.object.amount_total / 100 }}',
              currency: '{{ input.data.object.currency }}',
              paid: '{{ $fromMillis(input.created * 1000) }}',
            },
          },
        }),
      ],
      connections: connect('start > paid', 'paid:true > keep'),
      notes: [STRIPE_SET_UP],
    },
  },
  {
    name: 'CSV file → table',
    description: 'A form takes a CSV file with the columns email and name, and adds its rows to a table.',
    table: {
      name: 'Contacts',
      columns: [
        { name: 'email', type: 'text', isRequired: true },
        { name: 'name', ...optional },
      ],
    },
    form: {
      path: 'contacts',
      title: 'Add contacts',
      description: 'A CSV file whose first row is: email, name.',
      fields: [{ name: 'file', label: 'CSV file', kind: 'file', required: true }],
      access: 'members',
      response: { mode: 'message', message: 'Thank you. The contacts are being added.' },
    },
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('read', 'convert', 1, 0, {
          name: 'Read the CSV',
          config: { value: '{{ input.file }}', from: 'csv', to: 'json' },
        }),
        node('dedupe', 'dedupe', 2, 0, { name: 'One row per email', config: { items: 'input', by: 'email' } }),
        node('add', 'table', 3, 0, {
          name: 'Add the rows',
          config: { tableId: OWN_TABLE, operation: 'insert', rows: '{{ [input.{"email": email, "name": name}] }}' },
        }),
      ],
      connections: connect('start > read', 'read > dedupe', 'dedupe > add'),
    },
  },
  {
    name: 'New posts of a feed → Slack',
    description: 'Reads an RSS feed every hour, and posts what is new to a Slack channel, each entry once.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('feed', 'http_request', 1, 0, {
          name: 'Read the feed',
          config: { url: 'https://www.example.com/feed.xml', responseType: 'text' },
          retry: { maxAttempts: 3, backoffMs: 2000 },
        }),
        node('parse', 'convert', 2, 0, {
          name: 'Parse the XML',
          config: { value: '{{ input.body }}', from: 'xml', to: 'json' },
        }),
        node('new', 'remember', 3, 0, {
          name: 'New entries',
          config: { operation: 'seen', key: 'feed', items: '[input.rss.channel.item]', itemKey: 'item.link' },
        }),
        node('each', 'for_each', 4, 0, {
          name: 'Each entry',
          config: {
            items: 'input',
            body: {
              nodes: [
                node('start', 'start', 0, 0, {}),
                node('post', 'http_request', 1, 0, {
                  name: 'Post to Slack',
                  config: {
                    url: 'https://hooks.slack.com/services/YOUR/WEBHOOK/PATH',
                    method: 'POST',
                    body: { text: '<{{ input.item.link }}|{{ input.item.title }}>' },
                  },
                  retry: { maxAttempts: 3, backoffMs: 2000 },
                }),
              ],
              connections: connect('start > post'),
            },
          },
        }),
      ],
      connections: connect('start > feed', 'feed > parse', 'parse > new', 'new > each'),
      notes: [
        setUp(
          '**Set up**\n' +
            '1. Enter the address of the feed at *Read the feed*.\n' +
            '2. In Slack, create an incoming webhook, and enter its address at *Post to Slack*, inside *Each entry*.\n' +
            '3. Add a schedule: every hour.',
        ),
      ],
    },
  },
  {
    name: 'Wait for an export',
    description: 'Starts a job of another service, asks every ten seconds until it is done, and mails the result.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('job', 'http_request', 1, 0, {
          name: 'Start the export',
          config: { url: 'https://api.example.com/exports', method: 'POST' },
        }),
        node('wait', 'repeat', 2, 0, {
          name: 'Until it is done',
          config: {
            until: 'output.body.status = "done"',
            maxRounds: 360,
            delayMs: 10_000,
            body: {
              nodes: [
                node('start', 'start', 0, 0, {}),
                node('status', 'http_request', 1, 0, {
                  name: 'Ask for its state',
                  config: { url: 'https://api.example.com/exports/{{ nodes.job.body.id }}' },
                  retry: { maxAttempts: 3, backoffMs: 2000 },
                }),
              ],
              connections: connect('start > status'),
            },
          },
        }),
        node('mail', 'send_email', 3, 0, {
          name: 'Mail the result',
          config: {
            to: '{{ execution.input.email }}',
            subject: 'Your export is ready',
            template: 'Hello,\n\nyour export is ready: {{ input.last.body.url }}',
          },
        }),
      ],
      connections: connect('start > job', 'job > wait', 'wait > mail'),
    },
  },
];
