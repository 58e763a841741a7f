import { CreateOwnerRequest } from '@/contract/access/session';
import { CreateOwnerResponse, SetupStateResponse } from '@/contract/access/setup';
import { defineOperation, publicAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, forbiddenProblem } from '@/server/platform/errors/problem';
import { createFirstOwner, isOwnerNeeded, isSetupToken } from '@/server/people/accounts/first-owner';
import { hashPassword } from '@/server/people/auth/password';
import { requireStrongPassword } from '@/server/people/auth/password-rules';

const SETUP_TAG = 'Setup';
const SETUP_PATH = '/api/setup';

const getSetupOperation = defineOperation({
  id: 'setup.get',
  method: 'GET',
  path: SETUP_PATH,
  summary: 'Read whether the first owner is missing',
  tag: SETUP_TAG,
  access: publicAccess(),
  effect: readEffect(),
  reply: jsonReply(SetupStateResponse),
  run: async ({ db }) => ({ needed: await isOwnerNeeded(db) }),
});

const createFirstOwnerOperation = defineOperation({
  id: 'setup.create',
  method: 'POST',
  path: SETUP_PATH,
  summary: 'Create the first owner',
  description: 'With the token of the link that the service prints at its start; works until there is an owner.',
  tag: SETUP_TAG,
  access: publicAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateOwnerRequest),
  reply: jsonReply(CreateOwnerResponse, { status: 201 }),
  otherReplies: ['FORBIDDEN'],
  async run({ db, note }, { body: { token, name, email, password, expressionLanguage } }) {
    if (!isSetupToken(token)) throw forbiddenProblem('The setup link is not valid.');
    if (!(await isOwnerNeeded(db))) throw conflictProblem('There is an owner already.');
    requireStrongPassword(password, 'password', { email, name });
    const passwordHash = await hashPassword(password);
    const owner = await createFirstOwner(db, { email, name, passwordHash, expressionLanguage });
    if (!owner) throw conflictProblem('There is an owner already.');
    note({ resourceId: owner.userId, workspaceId: owner.workspaceId, actorId: owner.userId });
    return { ...owner, email };
  },
});

export const setupOperations = [getSetupOperation, createFirstOwnerOperation];
