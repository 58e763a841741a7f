import type { Definition, Node } from '@/contract/workflow';

export interface Template {
  name: string;
  description: string;
  definition: Definition;
}

const node = (id: string, type: string, column: number, row: number, rest: Partial<Node>): Node => ({
  id,
  type,
  position: { x: column * 300, y: row * 140 },
  config: {},
  ...rest,
});

/** `a:true > b` joins the port `true` of a to b; without a port, `output`. */
const wires = (...written: string[]): Definition['connections'] =>
  written.map((wire) => {
    const [from = '', targetNode = ''] = wire.split(' > ');
    const [sourceNode = '', sourcePort = 'output'] = from.split(':');
    return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
  });

/** Workflows to begin with. Addresses and recipients are to be filled in. */
export const TEMPLATES: Template[] = [
  {
    name: 'Approve, then act',
    description: 'A request waits for a person; the requester hears what was decided.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('approval', 'approval', 1, 0, { config: { message: '{{ input.name }} asks for: {{ input.request }}' } }),
        node('accepted', 'send_email', 2, -0.5, {
          name: 'Say yes',
          config: { to: '{{ execution.input.email }}', subject: 'Approved', template: 'Your request was approved.' },
        }),
        node('declined', 'send_email', 2, 0.7, {
          name: 'Say no',
          config: { to: '{{ execution.input.email }}', subject: 'Declined', template: 'Your request was declined.' },
        }),
      ],
      connections: wires('start > approval', 'approval:approved > accepted', 'approval:rejected > declined'),
    },
  },
  {
    name: 'Watch a website',
    description: 'Calls an address, and writes a mail when it doesn’t answer. Give it a schedule.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('check', 'http_request', 1, 0, {
          name: 'Is it up?',
          config: { url: 'https://example.com' },
          retry: { maxAttempts: 3, backoffMs: 5000 },
        }),
        node('alarm', 'send_email', 2, 1, {
          name: 'Raise the alarm',
          config: {
            to: 'team@example.com',
            subject: 'The website is down',
            template: 'It did not answer three times.',
          },
        }),
      ],
      connections: wires('start > check', 'check:error > alarm'),
    },
  },
  {
    name: 'Orders by value',
    description: 'Large orders go to a person, others are confirmed at once. Made for a webhook.',
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
      connections: wires(
        'start > large',
        'large:true > approval',
        'large:false > confirm',
        'approval:approved > confirm',
      ),
    },
  },
  {
    name: 'Fetch, reshape, send on',
    description: 'Reads from one service, picks what matters, and posts it to another.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('fetch', 'http_request', 1, 0, { name: 'Fetch', config: { url: 'https://api.example.com/orders' } }),
        node('pick', 'transform', 2, 0, {
          name: 'Pick what matters',
          config: { expression: '[input.body.orders.{"id": id, "total": total}]' },
        }),
        node('post', 'http_request', 3, 0, {
          name: 'Send on',
          config: { url: 'https://hooks.example.com/orders', method: 'POST', body: '{{ input }}' },
        }),
      ],
      connections: wires('start > fetch', 'fetch > pick', 'pick > post'),
    },
  },
  {
    name: 'Remind later',
    description: 'Waits a day after something came in, then sends a friendly word.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('wait', 'delay', 1, 0, { name: 'A day later', config: { durationMs: 86_400_000 } }),
        node('remind', 'send_email', 2, 0, {
          name: 'Remind',
          config: {
            to: '{{ input.email }}',
            subject: 'How is it going?',
            template: 'Hello {{ input.name }}, any questions?',
          },
        }),
      ],
      connections: wires('start > wait', 'wait > remind'),
    },
  },
  {
    name: 'One by one',
    description: 'Does the same for every item of a list, three at a time, and reports.',
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
              connections: wires('begin > call'),
            },
          },
        }),
        node('report', 'send_email', 2, 0, {
          name: 'Report',
          config: { to: 'team@example.com', subject: 'All done', template: '{{ $count(input) }} items were handled.' },
        }),
      ],
      connections: wires('start > each', 'each > report'),
    },
  },
];
