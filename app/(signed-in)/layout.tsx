import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { LoginRedirect } from '@/components/auth/LoginRedirect';
import { Shell } from '@/components/shell/Shell';
import { webServices } from '@/server/api/http/web-services';
import { getRuntime } from '@/server/platform/runtime';

export default async function Layout({ children }: { children: ReactNode }) {
  if (!(await webServices().findPageVisitor(await headers()))) return <LoginRedirect />;
  const { deploymentEnv, smtpUrl } = getRuntime().env;
  return <Shell hasOutbox={deploymentEnv === 'development' && !smtpUrl}>{children}</Shell>;
}
