import { connect, node, setUp, type Template } from './template';

/** A condition on an event of Stripe. */
export const CHECKOUT_PAID = node('paid', 'condition', 1, 0, {
  name: 'Checkout paid?',
  config: {
    expression: 'input.type = "checkout.session.completed" and input.data.object.payment_status = "paid"',
  },
});

export const STRIPE_SET_UP = setUp(
  '**Set up**\n' +
    '1. Add a webhook to this workflow with the verification *Stripe*.\n' +
    '2. In the Stripe dashboard: Developers, Webhooks. Add its address with the event `checkout.session.completed`.\n' +
    '3. Copy the signing secret from Stripe into the webhook.',
);

/** Templates for webhooks of providers. */
export const WEBHOOK_TEMPLATES: Template[] = [
  {
    name: 'GitHub → Slack',
    description: 'Posts each new pull request of a GitHub repository to a Slack channel.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        node('opened', 'condition', 1, 0, {
          name: 'New pull request?',
          config: { expression: 'input.action = "opened" and $exists(input.pull_request)' },
        }),
        node('message', 'transform', 2, 0, {
          name: 'Write the message',
          config: {
            fields: {
              text: '{{ input.sender.login }} opened <{{ input.pull_request.html_url }}|{{ input.pull_request.title }}> in {{ input.repository.full_name }}',
            },
          },
        }),
        node('post', 'http_request', 3, 0, {
          name: 'Post to Slack',
          config: { url: 'https://hooks.slack.com/services/YOUR/WEBHOOK/PATH', method: 'POST', body: '{{ input }}' },
          retry: { maxAttempts: 3, backoffMs: 2000 },
        }),
      ],
      connections: connect('start > opened', 'opened:true > message', 'message > post'),
      notes: [
        setUp(
          '**Set up**\n' +
            '1. Add a webhook to this workflow with the verification *GitHub* and a secret of your choice.\n' +
            '2. In the repository on GitHub: Settings, Webhooks, Add webhook. Enter the address and the secret, content type `application/json`, event *Pull requests*.\n' +
            '3. In Slack, create an incoming webhook, and enter its address at *Post to Slack*.',
        ),
      ],
    },
  },
  {
    name: 'Stripe payment → mail',
    description: 'Thanks the customer by mail when a Stripe checkout is paid. Other events are ignored.',
    definition: {
      nodes: [
        node('start', 'start', 0, 0, {}),
        CHECKOUT_PAID,
        node('thank', 'send_email', 2, 0, {
          name: 'Thank the customer',
          config: {
            to: '{{ input.data.object.customer_details.email }}',
            subject:
              'Your payment of {{ $formatNumber(input.data.object.amount_total / 100, "#,##0.00") }} {{ $uppercase(input.data.object.currency) }}',
            template:
              'Hello {{ input.data.object.customer_details.name }},\n\nthank you. We received your payment on {{ $formatDate(input.created * 1000, "yyyy-MM-dd") }}.',
          },
        }),
      ],
      connections: connect('start > paid', 'paid:true > thank'),
      notes: [STRIPE_SET_UP],
    },
  },
];
