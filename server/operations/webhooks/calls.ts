import { z } from 'zod';
import { WebhookAccepted } from '@/contract/triggers/webhook';
import { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { operation, publicAccess, type Call } from '@/server/api/operation';
import { contentReply, jsonReply, rawBody, readEffect, submitEffect } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import type { Db } from '@/server/db/client';
import { callTransaction } from '@/server/db/transaction';
import { readCallToken, type CallPlace } from '@/server/engine/attempt/call-link';
import { callTaker, isOpenForCall, storeCall, wasCallJustStored, type CallTaker } from '@/server/engine/queue/calls';
import { jsonOf } from '@/server/expressions/large-json';
import { notFound, Problem, unauthorized } from '@/server/errors/problem';
import { kindOf } from '@/server/nodes';
import { DEFAULT_MAX_BODY } from '@/server/pipeline/steps/parse';
import { refusalOfBody, refusalOfHead } from '@/server/pipeline/steps/verify';
import { verifierWith } from '@/server/webhooks/verification';
import { DeliveryContent } from './content';
import { splitVerification } from './settings';
import { acceptedPage, confirmPage, refusedPage } from './call-page';

const tag = 'Executions';
const path = '/calls/{token}';
const Params = z.strictObject({ token: z.string().max(2000) });
const METHODS = ['POST', 'PUT'] as const;
const HTML = ['text/html'];

const gone = () =>
  new Problem('CONFLICT', 'This address was used before, has expired, or its run has ended.', [], { status: 410 });

/** The node that takes calls at an address. Throws 404 if the service has not made the address, or the run was deleted. */
async function takerAt(db: Db, token: string): Promise<CallPlace & CallTaker> {
  const place = readCallToken(token);
  const taker = place && (await callTaker(db, place));
  if (!taker || !kindOf(taker.node.type)?.takesCall) throw notFound('The address');
  return { ...place, ...taker };
}

/** Why the sender may not call, as the verification of the node says; null: it may. */
async function refusalOf(call: Call, { workspaceId, workflowId, node }: CallTaker): Promise<Problem | null> {
  if (node.config['verification'] === undefined) return null;
  const parsed = WebhookVerification.safeParse(node.config['verification']);
  if (!parsed.success) return unauthorized('The verification of this address can not be used.');
  // The address works once and ends with its node, so a token without a time of expiry is no lasting right here.
  const { settings, secrets, allowWithoutExpiry = true } = splitVerification(parsed.data);
  const verification = settings.kind === 'jwt' ? { ...settings, allowWithoutExpiry } : settings;
  const verifier = verifierWith(workspaceId, verification, secrets);
  const at = { id: node.id, workspaceId, workflowId, methods: [...METHODS], enabled: true, allowedIps: [] };
  const address = { ...at, sealedSecrets: [], verification, verifier };
  return (await refusalOfHead(address, call)) ?? refusalOfBody(address, call, call);
}

const receive = operation({
  id: 'executions.call',
  method: 'POST',
  otherMethods: ['PUT'],
  path,
  summary: 'Continue a run that waits for a call',
  description:
    'The address of a `wait_for_call` node: `execution.resumeUrls.<node>` in expressions. It works once. The body becomes the ' +
    'output of the node: JSON as it is, a form as an object, text as a string, an empty body null. A call that comes before ' +
    'the run has reached the node is kept for it. 401: the sender is not verified as the node asks for. 404: there is no such ' +
    'address. 410: it was used before, has expired, or the run has ended.',
  tag,
  access: publicAccess(),
  effect: submitEffect('resource_access'),
  params: Params,
  body: rawBody({ isCompressed: true }),
  query: 'any',
  reply: jsonReply(WebhookAccepted, { status: 202 }),
  otherReplies: [
    { status: 202, mediaTypes: HTML, description: 'For browsers: a page that says so.' },
    'FORBIDDEN',
    'METHOD_NOT_ALLOWED',
    'GONE',
  ],
  async run(call, { params: { token } }) {
    const taker = await takerAt(call.db, token);
    const { workspaceId, executionId, nodeId } = taker;
    const refusal = await refusalOf(call, taker);
    if (refusal) throw refusal;
    const { rawBody, spool, headers } = call;
    const content = new DeliveryContent({ rawBody, spool, headers, webhook: taker }, DEFAULT_MAX_BODY);
    call.note({ workspaceId, resourceId: executionId, metadata: { nodeId } });
    const isPerson = call.headers.get('accept')?.includes('text/html');
    try {
      const json = jsonOf(await content.of({ isDocumented: false })) ?? 'null';
      const isNew = await callTransaction(true, async (db) => {
        if (await storeCall(db, taker, json)) {
          await record(db, [call.auditEntry()]);
          return true;
        }
        // The button of the page was pressed twice: the second answer is what the person sees.
        if (isPerson && (await wasCallJustStored(db, taker, json))) return false;
        throw gone();
      });
      if (isNew) content.keep();
    } finally {
      await content.discard();
    }
    return isPerson ? acceptedPage() : { executionId, status: 'accepted' as const };
  },
});

const look = operation({
  id: 'executions.callPage',
  method: 'GET',
  path,
  summary: 'The page of an address at which a run waits',
  description:
    'A page with one button that posts. Reading it changes nothing, so that programs that open links do not use them up.',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  params: Params,
  query: 'any',
  reply: contentReply({ status: 200, mediaTypes: HTML, description: 'The page.' }),
  otherReplies: [404, 410].map((status) => ({ status, mediaTypes: HTML, description: 'A page that says so.' })),
  async run({ db }, { params: { token } }) {
    try {
      if (!(await isOpenForCall(db, await takerAt(db, token)))) throw gone();
      return confirmPage();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refusedPage(error.status, error.message);
    }
  },
});

export const calls = [receive, look];
