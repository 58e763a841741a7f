import type { ReactNode } from 'react';
import { SignedOutFrame } from '@/components/auth/SignedOutFrame';

export default function Layout({ children }: { children: ReactNode }) {
  return <SignedOutFrame>{children}</SignedOutFrame>;
}
