import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { ToLogin } from '@/components/auth/ToLogin';
import { Shell } from '@/components/shell/Shell';
import { web } from '@/server/http/web-services';
import { runtime } from '@/server/runtime';

export default async function Layout({ children }: { children: ReactNode }) {
  if (!(await web().visitor(await headers()))) return <ToLogin />;
  const { deploymentEnv, smtpUrl } = runtime().env;
  return <Shell hasOutbox={deploymentEnv === 'development' && !smtpUrl}>{children}</Shell>;
}
