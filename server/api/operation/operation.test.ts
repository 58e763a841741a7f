import { z } from 'zod';
import { expect, test } from 'vitest';
import { accessWord, memberAccess, defineOperation, publicAccess, signedInAccess, webhookAccess } from './operation';
import { contentReply, jsonBody, jsonReply, rawBody, readEffect, writeEffect } from './operation-parts';

test('the word of an access is its permission, or who may call', () => {
  const accesses = [memberAccess('workflow', 'read'), publicAccess(), signedInAccess(), webhookAccess({})];
  expect(accesses.map(accessWord)).toEqual(['workflow:read', 'public', 'signed-in', 'signature']);
});

test('an operation gets the types of its access and its body', async () => {
  const { run } = defineOperation({
    id: 'greetings.create',
    method: 'POST',
    path: '/api/greetings',
    summary: 'Greet',
    tag: '',
    access: memberAccess('workflow', 'read'),
    effect: writeEffect('resource_access'),
    body: jsonBody(z.object({ name: z.string() })),
    reply: jsonReply(z.object({ text: z.string() })),
    run: async ({ caller }, { body }) => ({ text: `${caller.userId} greets ${body.name.toUpperCase()}` }),
  });
  const call = { caller: { userId: 'Ada' } } as Parameters<typeof run>[0];
  expect(await run(call, { params: undefined, query: undefined, body: { name: 'Bob' } })).toEqual({
    text: 'Ada greets BOB',
  });
});

/** The compiler refuses each of these: it reports an expectation of an error that does not occur. */
export const REFUSED = [
  // @ts-expect-error A read has no audit entry.
  () => readEffect({ audit: 'authentication' }),
  // @ts-expect-error A change without an audit entry.
  () => writeEffect(),
  // @ts-expect-error Members are known: nobody else's bucket counts their calls.
  () => memberAccess('workflow', 'read', { bucketOf: async () => undefined }),
  // @ts-expect-error Only signed-in people have a second factor to set up.
  () => publicAccess({ allowsUnenrolled: true }),
  // @ts-expect-error A workspace is named by members only.
  () => signedInAccess({ workspaceParam: 'id' }),
  // @ts-expect-error A body that is not parsed has no values to count.
  () => rawBody({ maxValues: 10 }),
  // @ts-expect-error A page has no fields from which an address could be made.
  () => contentReply({ status: 200, description: 'A page.', location: '/api/greetings/{id}' }),
];
