import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { ServiceEnv } from '@/server/platform/env/env';
import { canServiceSendMail } from '@/server/network/mail/mail';

const connectPorts = (source: string, target: string): NodeConnection => {
  const [sourceNode = '', sourcePort = 'output'] = source.split('.');
  return { sourceNode, sourcePort, targetNode: target, targetPort: 'input' };
};

const WELCOME_CONNECTIONS = [
  connectPorts('start', 'order'),
  connectPorts('order', 'large'),
  connectPorts('large.true', 'approval'),
  connectPorts('large.false', 'health'),
  connectPorts('approval.approved', 'health'),
  connectPorts('approval.rejected', 'declined'),
  connectPorts('health', 'report'),
  connectPorts('health.error', 'report'),
];

/**
 * The example workflow of a new workspace: one of most node types, ready to run. Without outgoing mail its last two
 * nodes are disabled.
 */
export function buildWelcomeDefinition(env: ServiceEnv, to: string): WorkflowDefinition {
  const isOn = canServiceSendMail(env);
  const mailNotes = isOn
    ? 'Without SMTP_URL, mail of a development installation lands on the Outbox page.'
    : 'Switched off: this installation has no SMTP_URL yet. Set it, then enable this node.';
  const mail = (id: string, name: string, y: number, subject: string, template: string): WorkflowNode => ({
    id,
    type: 'send_email',
    name,
    position: { x: 1400, y },
    config: { to, subject, template },
    notes: mailNotes,
    ...(isOn ? {} : { disabled: true }),
  });
  const nodes: WorkflowNode[] = [
    {
      id: 'start',
      type: 'start',
      name: 'Start',
      position: { x: 0, y: 160 },
      config: {},
      notes: 'Runs begin here. Press Run, or give an input such as {"customer": "Ada", "amount": 40}.',
    },
    {
      id: 'order',
      type: 'transform',
      name: 'Read the order',
      position: { x: 280, y: 160 },
      config: {
        fields: {
          customer: '{{ $exists(input.customer) ? input.customer : "a first visitor" }}',
          amount: '{{ $exists(input.amount) ? input.amount : 250 }}',
        },
      },
      notes: 'Shapes data. What stands in double braces is JSONata; fields that the input lacks get a default.',
    },
    {
      id: 'large',
      type: 'condition',
      name: 'A large order?',
      position: { x: 560, y: 160 },
      config: { expression: 'input.amount > 100' },
      notes: 'Two ways to go on: small orders skip the approval.',
    },
    {
      id: 'approval',
      type: 'approval',
      name: 'Ask a person',
      position: { x: 840, y: 40 },
      config: { message: 'Accept the order of {{ input.customer }} over {{ input.amount }}?' },
      notes: 'The run pauses, for days if need be, until an approver decides.',
    },
    {
      id: 'health',
      type: 'http_request',
      name: 'Call a service',
      position: { x: 1120, y: 160 },
      config: { url: `${env.apiBaseUrl}/healthz`, method: 'GET' },
      retry: { maxAttempts: 2, backoffMs: 1000 },
      timeoutMs: 10_000,
      notes: 'Asks Weft itself how it is. The port "error" is connected, so the run goes on if the call fails.',
    },
    mail(
      'report',
      'Send the confirmation',
      160,
      'Order of {{ nodes.order.customer }} accepted',
      'Hello,\n\nthe order of {{ nodes.order.customer }} over {{ nodes.order.amount }} is accepted.\n' +
        'The service said: {{ $exists(input.status) ? "status " & $string(input.status) : input.message }}.\n\n' +
        'This was run {{ execution.id }}.\n',
    ),
    mail(
      'declined',
      'Send the refusal',
      -80,
      'Order of {{ nodes.order.customer }} declined',
      'Hello,\n\nthe order of {{ nodes.order.customer }} was declined. {{ input.comment }}\n',
    ),
  ];
  return { nodes, connections: WELCOME_CONNECTIONS };
}
