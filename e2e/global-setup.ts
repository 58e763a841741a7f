import { expect, request, type APIRequestContext, type FullConfig } from '@playwright/test';
import { ownerOf, type Person } from './person';

/**
 * Creates an owner and a workspace for each further worker, like those of the first: with the Welcome workflow, and no
 * other user. So tests run in parallel, and each finds one workspace whose list begins with that workflow.
 */
export default async function setUp({ projects, workers }: FullConfig): Promise<void> {
  const api = await request.newContext({ baseURL: projects[0]?.use.baseURL });
  for (let index = 1; index < workers; index += 1) await addOwner(api, ownerOf(index));
  await api.dispose();
}

async function addOwner(api: APIRequestContext, owner: Person): Promise<void> {
  // A reused service has them already.
  if ((await api.post('/api/auth/login', { data: owner })).ok()) return;
  const first = await callerFor(api, ownerOf(0));
  const { user } = await first<{ user: { id: string } }>('GET', '/api/auth/me');
  const { data } = await first<{ data: { id: string; name: string }[] }>('GET', '/api/workflows');
  const id = data.find(({ name }) => name === 'Welcome')?.id;
  const { definition } = await first<{ definition: object }>('GET', `/api/workflows/${id}`);

  const workspace = await first<{ id: string }>('POST', '/api/workspaces', { name: 'Second' });
  const members = `/api/workspaces/${workspace.id}/members`;
  const { inviteUrl } = await first<{ inviteUrl: string }>('POST', members, { email: owner.email, role: 'owner' });
  const token = new URL(inviteUrl).searchParams.get('token');
  const accepted = await api.post('/api/auth/accept-invite', {
    data: { token, name: 'Owner', password: owner.password },
  });
  expect(accepted.status(), await accepted.text()).toBe(200);

  const second = await callerFor(api, owner);
  await second('DELETE', `${members}/${user.id}`);
  await second('POST', '/api/workflows', { name: 'Welcome', definition });
}

/** Calls the API as this person. */
async function callerFor(api: APIRequestContext, person: Person) {
  const login = await api.post('/api/auth/login', { data: person });
  const { accessToken } = (await login.json()) as { accessToken: string };
  return async <Body = unknown>(method: string, path: string, data?: object): Promise<Body> => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await api.fetch(path, { method, headers, data });
    const text = await answer.text();
    expect(answer.ok(), `${method} ${path}: ${text}`).toBe(true);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
}
