import type { ReactNode } from 'react';
import { Threshold } from '@/components/auth/Threshold';

export default function Layout({ children }: { children: ReactNode }) {
  return <Threshold>{children}</Threshold>;
}
