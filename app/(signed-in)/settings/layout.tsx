import type { ReactNode } from 'react';
import { SettingsFrame } from '@/components/settings/SettingsFrame';

export default function Layout({ children }: { children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>;
}
