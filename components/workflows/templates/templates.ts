import { DATA_TEMPLATES } from './data-templates';
import { connect, node, type Template } from './template';
import { WEBHOOK_TEMPLATES } from './webhook-templates';

/** Workflow templates. Users fill in URLs and recipients. */
export const TEMPLATES: Template[] = [
  {
    name: 'Approval by email',
    description: 'Asks a user for approval, then emails the decision to the requester.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('approval', 'approval', 1, 0, { config: { message: '{{ input.name }} asks for: {{ input.request }}' } }),
        node('accepted', 'send_email', 2, -0.5, {
          name: 'Email approval',
          config: { to: '{{ execution.input.email }}', subject: 'Approved', template: 'Your request was approved.' },
        }),
        node('declined', 'send_email', 2, 0.7, {
          name: 'Email rejection',
          config: { to: '{{ execution.input.email }}', subject: 'Declined', template: 'Your request was declined.' },
        }),
      ],
      connections: connect('start > approval', 'approval:approved > accepted', 'approval:rejected > declined'),
    },
  },
  {
    name: 'Request with a form',
    description:
      'A form asks for a day off, a manager approves it and names a substitute, and the requester gets an email.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('approval', 'approval', 1, 0, {
          config: {
            message: '{{ input.name }} asks for a day off on {{ input.day }}.',
            form: {
              fields: [
                { name: 'substitute', label: 'Substitute', kind: 'text', required: true },
                { name: 'note', label: 'Note', kind: 'textarea', help: 'For the file; it is not sent.' },
              ],
            },
          },
        }),
        node('accepted', 'send_email', 2, -0.5, {
          name: 'Email approval',
          config: {
            to: '{{ execution.input.email }}',
            subject: 'Your day off',
            template:
              'Your day off on {{ execution.input.day }} is approved. {{ input.data.substitute }} stands in for you.',
          },
        }),
        node('declined', 'send_email', 2, 0.7, {
          name: 'Email rejection',
          config: {
            to: '{{ execution.input.email }}',
            subject: 'Your day off',
            template: 'Your day off on {{ execution.input.day }} was declined.',
          },
        }),
      ],
      connections: connect('start > approval', 'approval:approved > accepted', 'approval:rejected > declined'),
    },
    form: {
      path: 'day-off',
      title: 'Request a day off',
      description: 'You get the decision by email.',
      fields: [
        { name: 'name', label: 'Your name', kind: 'text', required: true },
        { name: 'email', label: 'Your email address', kind: 'email', required: true },
        { name: 'day', label: 'Day', kind: 'date', required: true },
      ],
      access: 'members',
      response: { mode: 'message', message: 'Thank you. You will get the decision by email.' },
    },
  },
  {
    name: 'Website monitor',
    description: 'Requests a URL and sends an email if it fails. Add a schedule to run it.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('check', 'http_request', 1, 0, {
          name: 'Check website',
          config: { url: 'https://example.com' },
          retry: { maxAttempts: 3, backoffMs: 5000 },
        }),
        node('alarm', 'send_email', 2, 1, {
          name: 'Email alert',
          config: {
            to: 'team@example.com',
            subject: 'The website is down',
            template: 'It did not answer three times.',
          },
        }),
      ],
      connections: connect('start > check', 'check:error > alarm'),
    },
  },
  {
    name: 'Orders by value',
    description: 'Large orders need an approval, others are confirmed at once. Start it by a webhook.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('large', 'condition', 1, 0, { name: 'Large order?', config: { expression: 'input.total > 1000' } }),
        node('approval', 'approval', 2, -0.6, { config: { message: 'Order {{ input.id }} over {{ input.total }}' } }),
        node('confirm', 'send_email', 3, 0.4, {
          name: 'Confirm the order',
          config: {
            to: '{{ execution.input.email }}',
            subject: 'Order {{ execution.input.id }}',
            template: 'Thank you, it is on its way.',
          },
        }),
      ],
      connections: connect(
        'start > large',
        'large:true > approval',
        'large:false > confirm',
        'approval:approved > confirm',
      ),
    },
  },
  {
    name: 'Fetch, transform, post',
    description: 'Fetches data from one API, transforms it, and posts it to another.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('fetch', 'http_request', 1, 0, { name: 'Fetch', config: { url: 'https://api.example.com/orders' } }),
        node('pick', 'transform', 2, 0, {
          name: 'Transform orders',
          config: { expression: '[input.body.orders.{"id": id, "total": total}]' },
        }),
        node('post', 'http_request', 3, 0, {
          name: 'Post orders',
          config: { url: 'https://hooks.example.com/orders', method: 'POST', body: '{{ input }}' },
        }),
      ],
      connections: connect('start > fetch', 'fetch > pick', 'pick > post'),
    },
  },
  {
    name: 'Delayed reminder',
    description: 'Waits one day, then sends a reminder email.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('wait', 'delay', 1, 0, { name: 'Wait one day', config: { durationMs: 86_400_000 } }),
        node('remind', 'send_email', 2, 0, {
          name: 'Remind',
          config: {
            to: '{{ input.email }}',
            subject: 'How is it going?',
            template: 'Hello {{ input.name }}, any questions?',
          },
        }),
      ],
      connections: connect('start > wait', 'wait > remind'),
    },
  },
  {
    name: 'Process a list',
    description: 'Calls an API for every item of a list, three at a time, then sends a report.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('each', 'for_each', 1, 0, {
          name: 'For each item',
          config: {
            items: 'input.items',
            concurrency: 3,
            body: {
              nodes: [
                node('begin', 'start', 0, 0, {}),
                node('call', 'http_request', 1, 0, {
                  config: { url: 'https://api.example.com/items', method: 'POST', body: '{{ input.item }}' },
                }),
              ],
              connections: connect('begin > call'),
            },
          },
        }),
        node('report', 'send_email', 2, 0, {
          name: 'Report',
          config: {
            to: 'team@example.com',
            subject: 'Items processed',
            template: '{{ $count(input) }} items were processed.',
          },
        }),
      ],
      connections: connect('start > each', 'each > report'),
    },
  },
  ...WEBHOOK_TEMPLATES,
  ...DATA_TEMPLATES,
];
