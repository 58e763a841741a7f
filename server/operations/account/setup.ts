import { SetupRequest } from '@/contract/access/session';
import { SetupDone, SetupState } from '@/contract/access/setup';
import { operation, publicAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, forbidden } from '@/server/errors/problem';
import { createFirstOwner, isOwnerNeeded, opensSetup } from '@/server/accounts/first-owner';
import { hashPassword } from '@/server/auth/password';
import { requireStrong } from '@/server/auth/password-rules';

const tag = 'Setup';
const path = '/api/setup';

const get = operation({
  id: 'setup.get',
  method: 'GET',
  path,
  summary: 'Read whether the first owner is missing',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  reply: jsonReply(SetupState),
  run: async ({ db }) => ({ needed: await isOwnerNeeded(db) }),
});

const create = operation({
  id: 'setup.create',
  method: 'POST',
  path,
  summary: 'Create the first owner',
  description: 'With the token of the link that the service prints at its start; works until there is an owner.',
  tag,
  access: publicAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(SetupRequest),
  reply: jsonReply(SetupDone, { status: 201 }),
  otherReplies: ['FORBIDDEN'],
  async run({ db, note }, { body: { token, name, email, password } }) {
    if (!opensSetup(token)) throw forbidden('The setup link is not valid.');
    if (!(await isOwnerNeeded(db))) throw conflict('There is an owner already.');
    requireStrong(password, 'password', { email, name });
    const owner = await createFirstOwner(db, { email, name, passwordHash: await hashPassword(password) });
    if (!owner) throw conflict('There is an owner already.');
    note({ resourceId: owner.userId, workspaceId: owner.workspaceId, actorId: owner.userId });
    return { ...owner, email };
  },
});

export const setup = [get, create];
