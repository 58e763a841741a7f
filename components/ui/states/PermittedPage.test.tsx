// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { findRequiredPermission } from '@/components/client/navigation-pages';
import type { PermissionName } from '@/components/client/usePermissions';
import { withPermissionWords } from '@/components/client/permission-words';
import { TRPCProvider } from '@/components/client/trpc';
import { PermittedPage } from './PermittedPage';

afterEach(cleanup);

function openPage(needed: PermissionName | undefined, permissions: string[]) {
  const me = { workspaces: [{ id: 'ws_1', permissions, conditionalPermissions: ['workflow:read'] }] };
  const fetch = () => Promise.resolve(Response.json({ result: { data: me } }));
  const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: 'http://service.example/api/trpc', fetch })] });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <PermittedPage to={needed}>The page</PermittedPage>
      </TRPCProvider>
    </QueryClientProvider>,
  );
}

test('a page that a role may not see says so in words, in place of its errors', async () => {
  openPage('api_key:read', []);
  const text = 'Your role does not include “read API key”.';
  expect((await screen.findByText((shown) => shown.startsWith(text))).textContent).toContain('An admin');
  expect(screen.queryByText('The page')).toBeNull();
});

test.each([
  ['api_key:read', ['api_key:read']],
  ['workflow:read', []],
  [undefined, []],
] as const)('a page that needs %s is shown to who may see it, or a part of it', async (needed, permissions) => {
  openPage(needed, [...permissions]);
  await new Promise((resolve) => void setTimeout(resolve, 50));
  expect(screen.getByText('The page')).toBeTruthy();
});

test('what is below a page needs what the page needs, the import more', () => {
  expect(
    ['/tables/tbl_1', '/workflows/import', '/workflows/imports', '/start', '/settings/roles'].map(
      findRequiredPermission,
    ),
  ).toEqual(['table:read', 'workflow:create', 'workflow:read', undefined, undefined]);
});

test('a refusal of the service is read in the words of the interface', () => {
  expect(withPermissionWords('This needs the permission sso_provider:read.')).toBe(
    'This needs the permission “read single sign-on”.',
  );
  expect(withPermissionWords('needs the permission credential:use on cred_a-B1')).toBe(
    'needs the permission “use credential”',
  );
  expect(withPermissionWords('The name is taken: a:b')).toBe('The name is taken: a:b');
});
