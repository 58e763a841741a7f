import { z } from 'zod';
import { CreatedAt, ObjectId, optionalStartNodeId, StartNodeId, WorkflowId } from '../shared-fields';
import { CursorPaginationQuery, Timestamp, cursorPageSchema, pageSchema } from '../text';
import { WEBHOOK_METHODS } from './webhook-constants';
import { SubscriptionRequest, WebhookSubscriptionState } from './subscription';
import { WebhookHeaderName, WebhookVerification } from './webhook-verification';

/** 1 to 100 characters: segments of a-z 0-9 - _ separated by `/`, none empty. */
export const WebhookPath = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/, { error: 'must be segments of a-z 0-9 - _ separated by /' });

const ResponseTimeoutMs = z.number().int().min(1000).max(120_000).default(30_000).meta({
  description: 'Milliseconds after which the answer is 202, as in the mode `accepted`. The run continues.',
});

/** How the service responds to a delivery. */
export const WebhookResponseMode = z
  .discriminatedUnion('mode', [
    z
      .strictObject({ mode: z.literal('accepted').describe('Which of the forms the fields beside it have') })
      .meta({ description: '202 as soon as the run is stored' }),
    z
      .strictObject({
        mode: z.literal('last_node').describe('Which of the forms the fields beside it have'),
        timeoutMs: ResponseTimeoutMs,
      })
      .meta({ description: 'The output of the run as JSON' }),
    z
      .strictObject({
        mode: z.literal('respond_node').describe('Which of the forms the fields beside it have'),
        timeoutMs: ResponseTimeoutMs,
      })
      .meta({ description: 'What the first `respond` node that runs says' }),
  ])
  .meta({ id: 'WebhookResponse', description: 'When and with what the caller of the webhook is answered' });
export type WebhookResponseMode = z.infer<typeof WebhookResponseMode>;

export const WebhookMethod = z
  .enum(WEBHOOK_METHODS)
  .meta({ id: 'WebhookMethod', description: 'An HTTP method that the webhook takes' });
export type WebhookMethod = z.infer<typeof WebhookMethod>;

/**
 * With `body`, the body is the input of the run. With `request`, the input has method, path, query, headers, body and
 * address.
 */
export const WebhookInputMode = z
  .enum(['body', 'request'])
  .meta({ id: 'WebhookInput', description: 'What a run is given: the body, or the whole request' });
export type WebhookInputMode = z.infer<typeof WebhookInputMode>;

/** An IPv4 or IPv6 address, or a block of them in CIDR notation. */
const IpAddressBlock = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be an IPv4 or IPv6 address or a CIDR block',
});

const webhookMethods = z
  .array(WebhookMethod)
  .min(1)
  .max(WebhookMethod.options.length)
  .refine((all) => new Set(all).size === all.length, { error: 'must not repeat a method' })
  .meta({ description: 'Methods that are accepted; others get a 405. Default: POST' });
const allowedIpBlocks = z
  .array(IpAddressBlock)
  .max(100)
  .meta({ description: 'If any are given, requests from other addresses get a 403 before anything is read' });

/** Whether a value is an origin as browsers send it in the `Origin` header, or `*`. */
const isOriginHeader = (value: string) => {
  if (value === '*') return true;
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return !/^https?:$/.test(protocol) || origin === value;
};
const hasNoDuplicates = (all: readonly string[]) => new Set(all).size === all.length;

/** Pages of other origins that may call by script (CORS). */
export const WebhookCorsSettings = z
  .strictObject({
    origins: z
      .array(
        z
          .string()
          .max(300)
          .refine(isOriginHeader, { error: 'must be an origin such as https://example.com, without a path, or *' }),
      )
      .min(1)
      .max(20)
      .refine(hasNoDuplicates, { error: 'must not repeat an origin' })
      .meta({ description: 'Origins as browsers send them; `*`: any' }),
    headers: z
      .array(WebhookHeaderName)
      .max(50)
      .refine(hasNoDuplicates, { error: 'must not repeat a header' })
      .default([])
      .meta({
        description:
          'Request headers that pages may set, besides `content-type`, `x-service-delivery` and those that the verification reads',
      }),
  })
  .meta({ id: 'WebhookCors', description: 'Pages of other origins that may call the webhook by script' });
export type WebhookCorsSettings = z.infer<typeof WebhookCorsSettings>;

/** The settings of a webhook, all optional. */
const webhookSettings = {
  methods: webhookMethods.optional(),
  verification: WebhookVerification.optional(),
  input: WebhookInputMode.optional(),
  allowedIps: allowedIpBlocks.optional(),
  response: WebhookResponseMode.optional(),
  cors: WebhookCorsSettings.nullable()
    .optional()
    .meta({ description: 'Pages of other origins that may call by script; null (default): none' }),
  enabled: z.boolean().optional().meta({ description: 'A disabled webhook answers 404. Default: true' }),
  subscription: SubscriptionRequest.nullable().optional().meta({
    description:
      'The service makes the webhook at the provider. `verification` and `methods` are then the provider’s. null: it is made there by hand',
  }),
  startNodeId: optionalStartNodeId,
};

export const CreateWebhookRequest = z.strictObject({
  path: WebhookPath.optional().meta({
    description:
      'Required, except for the verification `none` and for a subscription: then 32 random characters are made',
  }),
  ...webhookSettings,
});

export const UpdateWebhookRequest = z.strictObject({
  path: WebhookPath.optional().describe('The path in its address'),
  ...webhookSettings,
});

/**
 * accepted: it started a run. duplicate: the same delivery id started a run before. captured: a test call of a paused
 * workflow that started no run. refused: see `reason`.
 */
export const DeliveryVerdict = z
  .enum(['accepted', 'duplicate', 'captured', 'refused'])
  .meta({ id: 'DeliveryVerdict', description: 'What the service did with a delivery' });
export type DeliveryVerdict = z.infer<typeof DeliveryVerdict>;

export const WebhookTrigger = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    path: z.string().describe('The path in its address'),
    url: z.string().describe('The address'),
    response: WebhookResponseMode,
    methods: z.array(WebhookMethod).describe('The HTTP methods that it takes'),
    verification: WebhookVerification.meta({ description: 'Secrets are masked' }),
    input: WebhookInputMode,
    allowedIps: z.array(z.string()).describe('Addresses and CIDR blocks of permitted senders; empty: all'),
    cors: WebhookCorsSettings.nullable(),
    enabled: z.boolean().describe('False: it is switched off'),
    startNodeId: StartNodeId,
    createdAt: CreatedAt,
    lastCall: z
      .object({ receivedAt: Timestamp.describe('When it arrived'), verdict: DeliveryVerdict })
      .nullable()
      .meta({ description: 'The latest delivery that is kept' }),
    subscription: WebhookSubscriptionState.nullable().describe(
      'The webhook at the provider; null: it is made there by hand',
    ),
  })
  .meta({ id: 'Webhook', description: 'An address that starts a run' });
export type WebhookTrigger = z.infer<typeof WebhookTrigger>;

/** A secret that the service has made is returned only here. */
export const WebhookWithSecret = WebhookTrigger.extend({
  secret: z.string().optional().meta({ description: 'Only if the service has made a secret' }),
}).meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret; shown once' });

export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const ListWebhooksResponse = pageSchema(WebhookTrigger).meta({ id: 'WebhookPage' });

/** The response to a signed delivery. */
export const WebhookAcceptedResponse = z
  .object({
    executionId: z.string().describe('The run'),
    status: z.literal('accepted').describe('The run is stored and will start'),
  })
  .meta({ id: 'WebhookAccepted', description: 'The run that a delivery started' });
export type WebhookAcceptedResponse = z.infer<typeof WebhookAcceptedResponse>;

/** The response to a test call of a paused workflow. */
export const WebhookCapturedResponse = z
  .object({ status: z.literal('captured').describe('A user sees the call; it starts no run') })
  .meta({ id: 'WebhookCaptured', description: 'A test call that a user sees; it started no run' });

/** One request to a webhook. */
export const RecordedDelivery = z
  .object({
    id: ObjectId,
    webhookId: z.string().describe('Where it arrived'),
    receivedAt: Timestamp.describe('When it arrived'),
    verdict: DeliveryVerdict,
    reason: z.string().nullable().describe('The reason; null: none'),
    senderId: z.string().nullable().meta({ description: 'Delivery id of the sender, from X-Service-Delivery' }),
    executionId: z.string().nullable().describe('The run'),
    replayOf: z.string().nullable().meta({ description: 'The delivery that this one replays' }),
    canReplay: z.boolean().describe('Whether the delivery can be sent again: its body is kept'),
    ipAddress: z.string().describe('The address of the caller'),
    userAgent: z.string().describe('The program of the caller'),
  })
  .meta({ id: 'Delivery', description: 'A call that arrived at a webhook' });
export type RecordedDelivery = z.infer<typeof RecordedDelivery>;

export const ListDeliveriesResponse = cursorPageSchema(RecordedDelivery).meta({ id: 'DeliveryPage' });

export const ListDeliveriesQuery = CursorPaginationQuery.extend({
  verdict: DeliveryVerdict.optional().describe('Only deliveries with this result'),
});

/** A delivery that a listener received, with the input that it has made or would have made. */
export const WebhookTestCall = RecordedDelivery.extend({
  input: z.unknown().optional().meta({ description: 'Absent: see `inputState`' }),
  inputState: z.enum(['shown', 'hidden', 'too_large', 'gone']).meta({
    description: 'hidden: needs `execution:read`. too_large: over 256 KiB. gone: the run is not kept',
  }),
}).meta({ id: 'TestCall', description: 'A call that arrived while the webhook waited for one' });
export type WebhookTestCall = z.infer<typeof WebhookTestCall>;

/** A user who waits for a test call of a webhook. */
export const WebhookListener = z
  .object({
    webhookId: z.string().describe('Where the call is expected'),
    startNodeId: StartNodeId,
    since: Timestamp.describe('Since when'),
    until: Timestamp.meta({ description: 'Five minutes after its start' }),
    now: Timestamp.meta({ description: 'The time of the service, which `until` is measured by' }),
    call: WebhookTestCall.nullable().meta({ description: 'The first verified call since then' }),
    refusal: RecordedDelivery.nullable().meta({ description: 'The latest call since then that was not verified' }),
  })
  .meta({ id: 'WebhookListener', description: 'A user who waits for a test call' });
export type WebhookListener = z.infer<typeof WebhookListener>;

export const ListenerStateResponse = z
  .object({ listener: WebhookListener.nullable() })
  .meta({ id: 'WebhookListenerState', description: 'A webhook that waits for a test call' });
