import { z } from 'zod';
import { WebhookAcceptedResponse } from '@/contract/triggers/webhook';
import { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, jsonReply, rawBody, readEffect, submitEffect } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { readCallToken, type CallTarget } from '@/server/engine/attempt/call-link';
import {
  findCalledNode,
  isOpenForCall,
  storeReceivedCall,
  isRepeatedCall,
  type CalledNode,
} from '@/server/engine/queue/calls';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { notFoundProblem, ApiProblem, unauthorizedProblem } from '@/server/platform/errors/problem';
import { findNodeType } from '@/server/workflow/nodes';
import { DEFAULT_MAX_BODY_BYTES } from '@/server/api/pipeline/steps/parse';
import { findBodyRefusal, findHeadRefusal } from '@/server/api/pipeline/steps/verify';
import { createVerifierWithSecrets } from '@/server/triggers/webhooks/verification';
import { DeliveryContent } from './content';
import { splitVerification } from './settings';
import { acceptedCallPage, confirmCallPage, refusedCallPage } from './call-page';

const CALL_TAG = 'Executions';
const CALL_PATH = '/calls/{token}';
const CallParams = z.strictObject({ token: z.string().max(2000) });
const CALL_METHODS = ['POST', 'PUT'] as const;
const CALL_PAGE_MEDIA_TYPES = ['text/html'];

const callGoneProblem = () =>
  new ApiProblem('CONFLICT', 'This address was used before, has expired, or its run has ended.', [], { status: 410 });

/**
 * Finds the node that takes calls at an address. Throws 404 if the service has not made the address, or if the run was
 * deleted.
 */
async function requireCallTaker(db: DatabaseClient, token: string): Promise<CallTarget & CalledNode> {
  const place = readCallToken(token);
  const taker = place && (await findCalledNode(db, place));
  if (!taker || findNodeType(taker.node.type)?.takesCall !== 'any') throw notFoundProblem('The address');
  return { ...place, ...taker };
}

/** Returns why the verification of the node refuses the sender, or null if it does not. */
async function findSenderRefusal(
  call: OperationCall,
  { workspaceId, workflowId, node }: CalledNode,
): Promise<ApiProblem | null> {
  if (node.config['verification'] === undefined) return null;
  const parsed = WebhookVerification.safeParse(node.config['verification']);
  if (!parsed.success) return unauthorizedProblem('The verification of this address can not be used.');
  // The address works once and ends with its node, so a token without a time of expiry is no lasting right here.
  const { settings, secrets, allowWithoutExpiry = true } = splitVerification(parsed.data);
  const verification = settings.kind === 'jwt' ? { ...settings, allowWithoutExpiry } : settings;
  const verifier = createVerifierWithSecrets(workspaceId, verification, secrets);
  const at = { id: node.id, workspaceId, workflowId, methods: [...CALL_METHODS], enabled: true, allowedIps: [] };
  const address = { ...at, sealedSecrets: [], verification, verifier };
  return (await findHeadRefusal(address, call)) ?? findBodyRefusal(address, call, call);
}

const receiveCallOperation = defineOperation({
  id: 'executions.call',
  method: 'POST',
  otherMethods: ['PUT'],
  path: CALL_PATH,
  summary: 'Continue a run that waits for a call',
  description:
    'The address of a `wait_for_call` node: `execution.resumeUrls.<node>` in expressions. It works once. The body becomes the ' +
    'output of the node: JSON as it is, a form as an object, text as a string, an empty body null. A call that comes before ' +
    'the run has reached the node is kept for it. 401: the sender is not verified as the node asks for. 404: there is no such ' +
    'address. 410: it was used before, has expired, or the run has ended.',
  tag: CALL_TAG,
  access: publicAccess(),
  effect: submitEffect('resource_access'),
  params: CallParams,
  body: rawBody({ isCompressed: true }),
  query: 'any',
  reply: jsonReply(WebhookAcceptedResponse, { status: 202 }),
  otherReplies: [
    { status: 202, mediaTypes: CALL_PAGE_MEDIA_TYPES, description: 'For browsers: a page that says so.' },
    'FORBIDDEN',
    'METHOD_NOT_ALLOWED',
    'GONE',
  ],
  async run(call, { params: { token } }) {
    const taker = await requireCallTaker(call.db, token);
    const { workspaceId, executionId, nodeId } = taker;
    const refusal = await findSenderRefusal(call, taker);
    if (refusal) throw refusal;
    const { rawBody, spool, headers } = call;
    const content = new DeliveryContent({ rawBody, spool, headers, webhook: taker }, DEFAULT_MAX_BODY_BYTES);
    call.note({ workspaceId, resourceId: executionId, metadata: { nodeId } });
    const isPerson = call.headers.get('accept')?.includes('text/html');
    try {
      const json = serializeJson(await content.of({ isDocumented: false })) ?? 'null';
      const isNew = await runCallInTransaction(true, async (db) => {
        if (await storeReceivedCall(db, taker, json)) {
          await appendAuditEntries(db, [call.auditEntry()]);
          return true;
        }
        // After a double click on the page's button, the person sees the second response.
        if (isPerson && (await isRepeatedCall(db, taker, json))) return false;
        throw callGoneProblem();
      });
      if (isNew) content.keepFiles();
    } finally {
      await content.discard();
    }
    return isPerson ? acceptedCallPage() : { executionId, status: 'accepted' as const };
  },
});

const showCallPageOperation = defineOperation({
  id: 'executions.callPage',
  method: 'GET',
  path: CALL_PATH,
  summary: 'The page of an address at which a run waits',
  description:
    'A page with one button that posts. Reading it changes nothing, so that programs that open links do not use them up.',
  tag: CALL_TAG,
  access: publicAccess(),
  effect: readEffect(),
  params: CallParams,
  query: 'any',
  reply: contentReply({ status: 200, mediaTypes: CALL_PAGE_MEDIA_TYPES, description: 'The page.' }),
  otherReplies: [404, 410].map((status) => ({
    status,
    mediaTypes: CALL_PAGE_MEDIA_TYPES,
    description: 'A page that says so.',
  })),
  async run({ db }, { params: { token } }) {
    try {
      if (!(await isOpenForCall(db, await requireCallTaker(db, token)))) throw callGoneProblem();
      return confirmCallPage();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      return refusedCallPage(error.status, error.message);
    }
  },
});

export const callOperations = [receiveCallOperation, showCallPageOperation];
